import type { ParameterDefinitions } from './define-tool.js';
import { jsonDocument } from './json-bounds.js';

/** Code that the tools of the capability `data.query_json` share. */

export const pathParameter = {
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 1_000,
    pattern: '^\\$',
    examples: ['$.orders[?@.total > 100].id'],
  },
  en: 'RFC 9535 JSONPath, from "$" on.',
  zh: '以 "$" 开头的 RFC 9535 JSONPath。',
  required: true,
};

export const documentParameter = {
  schema: jsonDocument,
  en: 'The JSON document: an object or a list.',
  zh: 'JSON 文档：对象或列表。',
  required: true,
};

export const sampleQuery = {
  document: {
    orders: [
      { id: 'a', total: 50 },
      { id: 'b', total: 150 },
    ],
  },
  path: '$.orders[?@.total > 100].id',
};

export const queryParameters = { document: documentParameter, path: pathParameter } satisfies ParameterDefinitions;
