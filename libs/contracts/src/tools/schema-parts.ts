import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { subschemasOf } from './subschemas.js';

/**
 * Parts that a tool's schema may have. Compiling takes about a tenth of a millisecond for each, when the tool is first
 * called, and nothing else runs meanwhile.
 */
export const MAX_SCHEMA_PARTS = 750;
/** Values of `enum`, and names of `required`, that are compiled one by one; of more than these, a loop is. */
export const MAX_WRITTEN_OUT = 20;

/** Keywords that check nothing. */
const annotations = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$schema', '$comment', '$defs', 'definitions'],
]);

/** The effort of compiling a schema, in parts: schemas, keywords that check something, and the names in lists. */
export function schemaParts(schema: JsonValue): number {
  if (!isJsonObject(schema)) return 1;
  let parts = 1 + Object.keys(schema).filter((keyword) => !annotations.has(keyword)).length + namesIn(schema);
  for (const [, members] of subschemasOf(schema)) for (const [, child] of members) parts += schemaParts(child);
  return parts;
}

function namesIn({ enum: values, required, dependentRequired }: JsonObject): number {
  const lists = isJsonObject(dependentRequired) ? Object.values(dependentRequired) : [];
  // The message about a missing name lists all the names that it goes with.
  const dependent = lists.map((names) => (Array.isArray(names) ? Math.max(names.length, names.length ** 2 / 20) : 0));
  return [values, required]
    .map((list) => (Array.isArray(list) ? Math.min(list.length, MAX_WRITTEN_OUT) : 0))
    .concat(dependent)
    .reduce((sum, count) => sum + Math.ceil(count), 0);
}
