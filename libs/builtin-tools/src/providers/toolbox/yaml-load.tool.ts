import { defineTool } from '../../tool/define-tool.js';
import { parseNested } from '../../tool/depth-error.js';
import { boundedJson } from '../../tool/json-bounds.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadYaml = lazy(async () => (await import('js-yaml')).loadAll);

export const yamlLoad = defineTool({
  toolId: 'toolbox.yaml.load.v1',
  name: { en: 'Read a YAML document', zh: '读取 YAML 文档' },
  description: {
    en: 'Reads a single small YAML document as JSON by the core schema. Cheap.',
    zh: '按核心模式将单个小型 YAML 文档读取为 JSON，价格低廉。',
  },
  categories: ['data-formats', 'developer-tools'],
  capabilities: [{ id: 'data.yaml_to_json', tags: ['parse', 'convert', 'config'] }],
  parameters: {
    document: {
      schema: { type: 'string', minLength: 1, maxLength: 20_000 },
      en: 'One YAML document.',
      zh: '一个 YAML 文档。',
      required: true,
    },
  },
  sampleParameters: { document: 'name: web\nports: [80, 443]\n' },
  price: perCall('0.05'),
  run: async (parameters) => {
    const loadAll = await loadYaml();
    try {
      const contents: unknown[] = parseNested('The YAML', () => loadAll(text(parameters, 'document')));
      if (contents.length > 1) throw new ToolInputError('There are several YAML documents. Send one at a time.');
      const [content] = contents;
      return content === null || content === undefined ? null : { content: boundedJson(content, 'The YAML') };
    } catch (error) {
      throw error instanceof ToolInputError ? error : inputError('The YAML cannot be read', error);
    }
  },
});
