import { defineTool } from '../../tool/define-tool.js';
import { parseNested } from '../../tool/depth-error.js';
import { boundedJson, MAX_JSON_DEPTH } from '../../tool/json-bounds.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

type Yaml = typeof import('yaml');
type Composed = Parameters<Yaml['visit']>[0];
type Token = Parameters<InstanceType<Yaml['Composer']>['next']>[0];

const loadYaml = lazy(() => import('yaml'));

/** Characters. */
const MAX_YAML_LENGTH = 100_000;
/** Values that aliases may stand for, per alias: more is an attack. */
const MAX_ALIAS_COUNT = 100;

/** Nodes that the parser has open at once: the levels, and the document and the text around them. */
const MAX_OPEN_NODES = MAX_JSON_DEPTH + 2;

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
    const library = await loadYaml();
    try {
      const documents = withoutStacks(() =>
        parseNested('The YAML', () => [...documentsOf(library, text(parameters, 'yaml'))]),
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

/**
 * The documents, up to the first fault. The library composes a document only once its levels are known to be few, because
 * it recurses, and what is left of the stack may then not do for a pattern of its own; and it points out one fault, because
 * each takes time over the whole text.
 */
function* documentsOf(yaml: Yaml, source: string): Generator {
  const { Composer, Lexer, LineCounter, Parser } = yaml;
  const lines = new LineCounter();
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const tokens: Token[] = [];
  for (const lexeme of new Lexer().lex(source)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_OPEN_NODES) {
      throw new ToolInputError(`The YAML is nested over ${MAX_JSON_DEPTH} levels. Flatten it.`);
    }
  }
  tokens.push(...parser.end());
  const composer = new Composer({ logLevel: 'error', prettyErrors: false, uniqueKeys: false });
  for (const document of composer.compose(tokens, false, source.length)) {
    const [error] = document.errors;
    const fault = error === undefined ? repeatedKey(yaml, document) : { at: error.pos[0], message: error.message };
    if (fault !== undefined) {
      const { line, col } = lines.linePos(fault.at);
      throw new ToolInputError(`The YAML cannot be read: ${fault.message} at line ${line}, column ${col}`);
    }
    yield document.toJS({ maxAliasCount: MAX_ALIAS_COUNT });
  }
}

/** The library compares each key with all before it; here, the same keys are looked up. */
function repeatedKey({ isScalar, visit }: Yaml, document: Composed): { at: number; message: string } | undefined {
  let at: number | undefined;
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          at = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return at === undefined ? undefined : { at, message: 'Map keys must be unique' };
}

/** The library makes an error for each fault, and most of what that takes is the stack that nobody reads. */
function withoutStacks<T>(work: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
