import { defineTool } from '../../tool/define-tool.js';
import { documentOf, jsonDocument } from '../../tool/json-bounds.js';
import { lazy } from '../../tool/operation.js';
import { number, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';

const loadYaml = lazy(() => import('yaml'));

/** The library makes an object of a kilobyte for each value: more of them take seconds, most of it collecting garbage. */
const MAX_VALUES = 40_000;

export const jsonToYaml = defineTool({
  toolId: 'forge.json.to_yaml.v1',
  name: { en: 'JSON to YAML', zh: 'JSON 转 YAML' },
  description: {
    en: 'Writes JSON as YAML that people can edit: block style, quoted only where needed, long texts folded. For manifests, pipelines and configuration files.',
    zh: '将 JSON 写成便于人工编辑的 YAML：块格式、仅在必要时加引号、长文本折行。适合清单、流水线与配置文件。',
  },
  categories: ['data-formats', 'developer-tools'],
  capabilities: [{ id: 'data.json_to_yaml', tags: ['export', 'convert', 'config', 'kubernetes'] }],
  parameters: {
    value: { schema: jsonDocument, en: 'Object or list to write.', zh: '要写出的对象或列表。', required: true },
    indent: {
      schema: { type: 'integer', minimum: 2, maximum: 8, default: 2 },
      en: 'Blanks per level.',
      zh: '每层缩进的空格数。',
    },
    keys: {
      schema: { type: 'string', enum: ['as_given', 'sorted'], default: 'as_given' },
      en: 'Order of members.',
      zh: '成员顺序：保持原样或排序。',
    },
  },
  sampleParameters: { value: { name: 'web', ports: [80, 443], note: 'yes' } },
  price: perCall('0.1'),
  run: async (parameters) => {
    const { stringify } = await loadYaml();
    const value = documentOf(parameters, 'value', MAX_VALUES);
    const sortMapEntries = text(parameters, 'keys', 'as_given') === 'sorted';
    const indent = number(parameters, 'indent', 2);
    // Texts that an older reader would take for something else ("yes") are quoted.
    return { yaml: stringify(value, { indent, sortMapEntries, aliasDuplicateObjects: false, compat: 'yaml-1.1' }) };
  },
});
