import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { contractChange, equalJson, type ContractChange } from './contract-change.js';

type Schema = JsonObject;
/** Does every value that fitted the old keyword fit the new one? */
type Widens = (before: JsonValue, after: JsonValue) => boolean;

/** Levels of nesting that are looked into; what is deeper is compared as a whole. */
const MAX_DEPTH = 20;

/** Keywords that say nothing about which values fit. */
const annotations = ['title', 'description', 'default', 'examples', 'deprecated', '$comment', 'readOnly', 'writeOnly'];

const atMost: Widens = (before, after) => typeof before === 'number' && typeof after === 'number' && after >= before;
const atLeast: Widens = (before, after) => typeof before === 'number' && typeof after === 'number' && after <= before;

/** Keywords that bound a value: without one, everything fits. */
const bounds: Readonly<Record<string, Widens>> = {
  maximum: atMost,
  exclusiveMaximum: atMost,
  maxLength: atMost,
  maxItems: atMost,
  maxProperties: atMost,
  minimum: atLeast,
  exclusiveMinimum: atLeast,
  minLength: atLeast,
  minItems: atLeast,
  minProperties: atLeast,
  enum: (before, after) => listOf(before).every((value) => listOf(after).some((other) => equalJson(value, other))),
  type: (before, after) => typesOf(before).every((type) => accepts(typesOf(after), type)),
  uniqueItems: (_before, after) => after !== true,
  multipleOf: (before, after) => typeof before === 'number' && typeof after === 'number' && before % after === 0,
};

const listOf = (value: JsonValue): JsonValue[] => (Array.isArray(value) ? value : [value]);
const typesOf = (value: JsonValue): JsonValue[] => listOf(value);
const accepts = (types: readonly JsonValue[], type: JsonValue): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

/**
 * The changes of a schema of parameters. A change is breaking unless it is proved that whatever fitted before still
 * fits, so keywords that are not understood here count as breaking.
 */
export function diffSchemas(before: Schema, after: Schema, path: string, depth = 0): ContractChange[] {
  if (depth > MAX_DEPTH) {
    return equalJson(before, after)
      ? []
      : [contractChange(path, 'breaking', 'changed below what is compared', before, after)];
  }
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keywords].flatMap((keyword) => diffKeyword(keyword, before, after, path, depth));
}

function diffKeyword(keyword: string, before: Schema, after: Schema, parent: string, depth: number): ContractChange[] {
  const [old, now] = [before[keyword], after[keyword]];
  if (equalJson(old, now)) return [];
  const path = `${parent}.${keyword}`;
  if (keyword === 'properties') return diffProperties(before, after, path, depth);
  if (keyword === 'required') return diffRequired(listOf(old ?? []), listOf(now ?? []), path);
  if (keyword === 'items' && isJsonObject(old) && isJsonObject(now)) return diffSchemas(old, now, path, depth + 1);
  if (annotations.includes(keyword))
    return [contractChange(path, 'compatible', 'what people and models read', old, now)];
  if (keyword === 'additionalProperties') {
    const closes = now === false;
    const reason = closes ? 'unknown parameters are refused now' : 'unknown parameters are accepted now';
    const harmless = !closes && (now === true || now === undefined);
    return [contractChange(path, harmless ? 'compatible' : 'breaking', reason, old, now)];
  }
  if (now === undefined) return [contractChange(path, 'compatible', 'a bound fell away', old, now)];
  const widens = bounds[keyword];
  if (old !== undefined && widens?.(old, now) === true)
    return [contractChange(path, 'compatible', 'admits more than before', old, now)];
  return [contractChange(path, 'breaking', 'a value that fitted before may not fit any more', old, now)];
}

function diffProperties(before: Schema, after: Schema, path: string, depth: number): ContractChange[] {
  const [old, now] = [propertiesOf(before), propertiesOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    const [was, is] = [old[name], now[name]];
    const at = `${path}.${name}`;
    if (was === undefined) return [contractChange(at, 'compatible', 'a new parameter', was, is)];
    if (is === undefined) {
      const refused = after['additionalProperties'] === false;
      const reason = refused ? 'callers that send it are refused' : 'it is ignored now';
      return [contractChange(at, refused ? 'breaking' : 'compatible', reason, was, is)];
    }
    if (isJsonObject(was) && isJsonObject(is)) return diffSchemas(was, is, at, depth + 1);
    return equalJson(was, is)
      ? []
      : [contractChange(at, 'breaking', 'a value that fitted before may not fit any more', was, is)];
  });
}

function propertiesOf(schema: Schema): JsonObject {
  const properties = schema['properties'];
  return isJsonObject(properties) ? properties : {};
}

function diffRequired(before: readonly JsonValue[], after: readonly JsonValue[], path: string): ContractChange[] {
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  return [
    ...added.map((name) =>
      contractChange(path, 'breaking', `${JSON.stringify(name)} must be given now`, undefined, name),
    ),
    ...removed.map((name) =>
      contractChange(path, 'compatible', `${JSON.stringify(name)} may be left out now`, name, undefined),
    ),
  ];
}
