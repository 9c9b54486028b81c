import { defineTool } from '../../tool/define-tool.js';
import { boundedJson, documentOf } from '../../tool/json-bounds.js';
import { documentParameter, pathParameter, sampleQuery } from '../../tool/json-path.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';

const loadQuery = lazy(async () => (await import('jsonpath-rfc9535')).query);

export const selectJson = defineTool({
  toolId: 'toolbox.json.select.v1',
  name: { en: 'Select from JSON', zh: 'JSON 取值' },
  description: {
    en: 'Selects values of a small JSON document by a standard JSONPath expression. Free.',
    zh: '用标准 JSONPath 表达式从小型 JSON 文档中取值。免费。',
  },
  categories: ['data-formats', 'developer-tools'],
  capabilities: [{ id: 'data.query_json', tags: ['jsonpath', 'pick', 'extract'] }],
  parameters: {
    json: { ...documentParameter, schema: { type: ['object', 'array'], maxProperties: 1_000, maxItems: 1_000 } },
    expression: pathParameter,
  },
  sampleParameters: { json: sampleQuery.document, expression: sampleQuery.path },
  price: free,
  timeoutMs: 3_000,
  // A query is a program, and its regular expressions may backtrack.
  run: async (parameters) => {
    const query = await loadQuery();
    const document = documentOf(parameters, 'json');
    let values: unknown[];
    try {
      values = query(document, text(parameters, 'expression'));
    } catch (error) {
      throw inputError('The JSONPath cannot be evaluated', error);
    }
    return values.length === 0 ? null : { values: boundedJson(values, 'The selection') };
  },
});
