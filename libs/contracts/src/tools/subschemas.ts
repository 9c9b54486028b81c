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

const holders: ReadonlySet<string> = new Set([...named, ...listed, ...single]);
const none: readonly Subschemas[] = [];

/** A keyword, and the schemas in it, each with its name or place; `''` where there is one. */
export type Subschemas = readonly [keyword: string, members: readonly (readonly [string | number, JsonValue])[]];

/** The schemas within a schema of the dialect 2020-12, by keyword. */
export function subschemasOf(schema: JsonObject): readonly Subschemas[] {
  // Most schemas are those of one value, and an import asks for those of a million.
  if (!Object.keys(schema).some((keyword) => holders.has(keyword))) return none;
  const found: Subschemas[] = [];
  for (const keyword of named) {
    const members = schema[keyword];
    if (isJsonObject(members)) found.push([keyword, Object.entries(members)]);
  }
  for (const keyword of listed) {
    const members = schema[keyword];
    if (Array.isArray(members)) found.push([keyword, [...members.entries()]]);
  }
  for (const keyword of single) {
    const child = schema[keyword];
    if (child !== undefined) found.push([keyword, [['', child]]]);
  }
  return found;
}
