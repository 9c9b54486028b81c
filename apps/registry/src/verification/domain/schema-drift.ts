import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** Schemas here are those of `inferSchema`: types, properties and items, a few levels deep. */
const typesOf = (schema: JsonObject): string[] => {
  const { type } = schema;
  return Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];
};

const propertiesOf = (schema: JsonObject): JsonObject =>
  isJsonObject(schema['properties']) ? schema['properties'] : {};

/**
 * Places at which results are not what they were: another type, but for null and for an integer where a number was; and an
 * object at the root that has lost all of its members. Members may come and go, since results depend on parameters.
 */
export function schemaDrift(observed: JsonObject, seen: JsonObject, path = '$'): string[] {
  const known = new Set(typesOf(observed));
  const others = typesOf(seen).filter(
    (type) => !known.has(type) && type !== 'null' && !(type === 'integer' && known.has('number')),
  );
  // Where only null was seen nothing is known of the type.
  if (others.length > 0 && !(known.size === 1 && known.has('null'))) {
    return [`${path} is ${others.join(' or ')}, and was ${[...known].join(' or ')}`];
  }
  const [before, now] = [propertiesOf(observed), propertiesOf(seen)];
  const [names, kept] = [Object.keys(before), Object.keys(before).filter((name) => Object.hasOwn(now, name))];
  const lost = path === '$' && names.length > 0 && kept.length === 0 && typesOf(seen).includes('object');
  if (lost) return [`${path} has none of the members that it had: ${names.slice(0, 5).join(', ')}`];
  return [
    ...kept.flatMap((name) => driftOf(before[name], now[name], `${path}.${name}`)),
    ...driftOf(observed['items'], seen['items'], `${path}[*]`),
  ];
}

const driftOf = (before: JsonValue | undefined, now: JsonValue | undefined, path: string): string[] =>
  isJsonObject(before) && isJsonObject(now) ? schemaDrift(before, now, path) : [];

/** Both together, so that what was seen once is known. */
export function mergeSchemas(one: JsonObject, other: JsonObject): JsonObject {
  const all = [...new Set([...typesOf(one), ...typesOf(other)])];
  const types = all.includes('number') ? all.filter((type) => type !== 'integer') : all;
  const merged: JsonObject = types.length === 1 ? { type: types[0] ?? 'null' } : { type: types };
  const [a, b] = [propertiesOf(one), propertiesOf(other)];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  if (names.length > 0) {
    merged['properties'] = Object.fromEntries(names.map((name) => [name, mergedPart(a[name], b[name])]));
  }
  const items = mergedPart(one['items'], other['items']);
  return Object.keys(items).length === 0 ? merged : { ...merged, items };
}

function mergedPart(one: JsonValue | undefined, other: JsonValue | undefined): JsonObject {
  if (!isJsonObject(one)) return isJsonObject(other) ? other : {};
  return isJsonObject(other) ? mergeSchemas(one, other) : one;
}
