import { defineTool } from '../../tool/define-tool.js';
import { parseNested } from '../../tool/depth-error.js';
import { boundedJson } from '../../tool/json-bounds.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadYaml = lazy(() => import('yaml'));

/** Characters. */
const MAX_YAML_LENGTH = 100_000;
/** Values that aliases may stand for, per alias: more is an attack. */
const MAX_ALIAS_COUNT = 100;

export const yamlToJson = defineTool({
  toolId: 'forge.yaml.to_json.v1',
  name: { en: 'YAML to JSON', zh: 'YAML 转 JSON' },
  description: {
    en: 'Parses YAML 1.2 (Kubernetes manifests, compose files, CI pipelines, front matter) into JSON; several documents in one text, anchors and aliases are read; errors name line and column.',
    zh: '将 YAML 1.2（Kubernetes 清单、compose 文件、CI 流水线、文章头信息）解析为 JSON；支持多文档、锚点与别名，错误指明行列。',
  },
  categories: ['data-formats', 'developer-tools'],
  capabilities: [{ id: 'data.yaml_to_json', tags: ['parse', 'convert', 'kubernetes', 'config', 'validate yaml'] }],
  parameters: {
    yaml: {
      schema: { type: 'string', minLength: 1, maxLength: MAX_YAML_LENGTH },
      en: 'YAML text.',
      zh: 'YAML 文本。',
      required: true,
    },
  },
  sampleParameters: { yaml: 'name: web\nports: [80, 443]\nenabled: yes\n' },
  price: perKilobyte('0.03', '0.1', 'yaml', MAX_YAML_LENGTH),
  run: async (parameters) => {
    const { parseAllDocuments } = await loadYaml();
    try {
      const documents = parseNested('The YAML', () =>
        [...parseAllDocuments(text(parameters, 'yaml'), { logLevel: 'error' })].map((document) => {
          const [fault] = document.errors;
          if (fault !== undefined) throw fault;
          return document.toJS({ maxAliasCount: MAX_ALIAS_COUNT }) as unknown;
        }),
      );
      const [value, ...others] = documents;
      if (value === null || value === undefined) return null;
      boundedJson(documents, 'The YAML');
      return { value: boundedJson(value, 'The YAML'), further_documents: boundedJson(others, 'The YAML') };
    } catch (error) {
      throw error instanceof ToolInputError ? error : inputError('The YAML cannot be read', error);
    }
  },
});
