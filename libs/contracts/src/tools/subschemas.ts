import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** Members that hold schemas by name, a list of schemas, or one schema. */
const named = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const listed = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const single = [
  'items',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];

/** The schemas within a schema of the dialect 2020-12, by keyword, each with its name or place; `''` where there is one. */
export function* subschemasOf(schema: JsonObject): Generator<[string, [string | number, JsonValue][]]> {
  for (const keyword of named) {
    const members = schema[keyword];
    if (isJsonObject(members)) yield [keyword, Object.entries(members)];
  }
  for (const keyword of listed) {
    const members = schema[keyword];
    if (Array.isArray(members)) yield [keyword, [...members.entries()]];
  }
  for (const keyword of single) {
    const child = schema[keyword];
    if (child !== undefined) yield [keyword, [['', child]]];
  }
}
