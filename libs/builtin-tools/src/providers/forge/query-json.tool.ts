import type { FilterFunction, JSONValue } from 'json-p3';
import { defineTool } from '../../tool/define-tool.js';
import { boundedJson, documentOf } from '../../tool/json-bounds.js';
import { queryParameters, sampleQuery } from '../../tool/json-path.js';
import { lazy } from '../../tool/operation.js';
import { number, text } from '../../tool/parameters.js';
import { perRow } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';

/** Values that a query selects. */
const limit = { default: 100, maximum: 5_000 } as const;
/** Levels of `..`; the document itself has no more. */
const MAX_RECURSION = 200;

const loadEngine = lazy(async () => {
  const [{ FunctionExpressionType, JSONPathEnvironment }, { RE2JS }] = await Promise.all([
    import('json-p3'),
    import('re2js'),
  ]);
  const environment = new JSONPathEnvironment({ maxRecursionDepth: MAX_RECURSION });
  const { LogicalType, ValueType } = FunctionExpressionType;
  // The caller's patterns run in linear time. By RFC 9535 a pattern that is wrong, or no text, does not match.
  const pattern = (matches: (expression: string, subject: string) => boolean): FilterFunction => ({
    argTypes: [ValueType, ValueType],
    returnType: LogicalType,
    call: (subject, expression) => {
      if (typeof subject !== 'string' || typeof expression !== 'string') return false;
      try {
        return matches(expression, subject);
      } catch {
        return false;
      }
    },
  });
  environment.functionRegister.set(
    'match',
    pattern((expression, subject) => RE2JS.compile(expression).matches(subject)),
  );
  environment.functionRegister.set(
    'search',
    pattern((expression, subject) => RE2JS.compile(expression).matcher(subject).find()),
  );
  return environment;
});

export const queryJson = defineTool({
  toolId: 'forge.json.query.v1',
  name: { en: 'Query JSON with JSONPath', zh: '用 JSONPath 查询 JSON' },
  description: {
    en: 'Picks values out of a JSON document with an RFC 9535 JSONPath: filters, slices, recursive descent and regular expressions in linear time; gives each value and its path. For cutting a large answer down to what is needed.',
    zh: '用 RFC 9535 JSONPath 从 JSON 文档中选取值：支持过滤、切片、递归下降与线性时间的正则，返回每个值及其路径。适合从庞大结果中提取所需内容。',
  },
  categories: ['data-formats', 'developer-tools'],
  capabilities: [{ id: 'data.query_json', tags: ['jsonpath', 'extract', 'filter', 'select fields'] }],
  parameters: {
    ...queryParameters,
    limit: {
      schema: { type: 'integer', minimum: 1, maximum: limit.maximum, default: limit.default },
      en: 'Most values that are returned.',
      zh: '最多返回的值个数。',
    },
  },
  sampleParameters: sampleQuery,
  price: perRow('0.001', '0.1', limit),
  timeoutMs: 5_000,
  // A query is a program: it can select the same value millions of times.
  run: async (parameters) => {
    const environment = await loadEngine();
    const document = documentOf(parameters, 'document');
    const wanted = number(parameters, 'limit', limit.default);
    const rows: JSONValue[] = [];
    const paths: string[] = [];
    let more = false;
    try {
      for (const node of environment.lazyQuery(text(parameters, 'path'), document)) {
        more = rows.length === wanted;
        if (more) break;
        rows.push(node.value);
        paths.push(node.path);
      }
    } catch (error) {
      throw inputError('The JSONPath cannot be evaluated', error);
    }
    return { rows: boundedJson(rows, 'The selection'), paths, more };
  },
});
