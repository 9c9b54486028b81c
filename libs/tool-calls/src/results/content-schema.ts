import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** Levels of nesting that are described. */
const MAX_DEPTH = 6;
/** Members of one object that are described. */
const MAX_MEMBERS = 100;
/** Items of one array that are looked at. */
const MAX_ITEMS = 50;

/** A JSON Schema that describes the data as far as the bounds reach. */
export function inferSchema(data: JsonValue): JsonObject {
  return schemaOf([data], 0);
}

function schemaOf(values: readonly JsonValue[], depth: number): JsonObject {
  const types = [...new Set(values.map(typeOf))];
  // An integer beside a number is a number.
  const names = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  const schema: JsonObject = names.length === 1 ? { type: names[0] ?? 'null' } : { type: names };
  if (depth >= MAX_DEPTH) return schema;
  const objects = values.filter(isJsonObject);
  if (objects.length > 0) schema['properties'] = propertiesOf(objects, depth);
  const arrays = values.filter((value) => Array.isArray(value));
  const items = arrays.flatMap((array) => array.slice(0, MAX_ITEMS)).slice(0, MAX_ITEMS);
  if (items.length > 0) schema['items'] = schemaOf(items, depth + 1);
  return schema;
}

function propertiesOf(objects: readonly JsonObject[], depth: number): JsonObject {
  const members = new Map<string, JsonValue[]>();
  for (const object of objects) {
    for (const [name, value] of Object.entries(object)) {
      const known = members.get(name);
      if (known !== undefined) known.push(value);
      else if (members.size < MAX_MEMBERS) members.set(name, [value]);
    }
  }
  return Object.fromEntries([...members].map(([name, values]) => [name, schemaOf(values, depth + 1)]));
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
