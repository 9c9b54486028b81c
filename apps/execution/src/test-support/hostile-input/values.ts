import { isJsonObject, MAX_JSON_LEVELS, type JsonObject, type JsonValue } from '@capability-router/kernel';
import type { Shape } from './shape.js';
import { hostileTexts } from './texts.js';

/** Levels of a document; parameters and their object take the others. */
const LEVELS = MAX_JSON_LEVELS - 10;

const listOf = (size: number, item: (index: number) => JsonValue): JsonValue[] =>
  Array.from({ length: size }, (_, index) => item(index));
const objectOf = (size: number, member: (index: number) => readonly [string, JsonValue]): JsonObject =>
  Object.fromEntries(listOf(size, () => null).map((_, index) => member(index)));
const nested = (levels: number, wrap: (inner: JsonValue) => JsonValue, core: JsonValue = 1): JsonValue => {
  let value = core;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
};
/** As many levels as there may be, then beside each other. */
const towers = (size: number, wrap: (inner: JsonValue) => JsonValue): JsonValue[] =>
  listOf(Math.max(1, Math.floor(size / LEVELS)), () => nested(LEVELS - 1, wrap));

/** Same numbers on every run. */
const scattered = (index: number): number => (Math.imul(index + 1, 2_654_435_761) >>> 0) / 4_294_967_296;

function hostileNumbers(schema: JsonObject): readonly Shape[] {
  const lowest = typeof schema['minimum'] === 'number' ? schema['minimum'] : -1e15;
  const highest = typeof schema['maximum'] === 'number' ? schema['maximum'] : 1e15;
  const middle = (lowest + highest) / 2;
  const span = highest - lowest;
  const list = (name: string, item: (index: number, size: number) => number): Shape => ({
    name,
    of: (size) => listOf(size, (index) => item(index, size)),
  });
  return [
    list('equal numbers', () => 7),
    list('zeros', () => 0),
    list('ascending numbers', (index, size) => lowest + (span * index) / size),
    list('descending numbers', (index, size) => highest - (span * index) / size),
    list('scattered numbers', (index) => lowest + span * scattered(index)),
    list('highest and lowest', (index) => (index % 2 === 0 ? lowest : highest)),
    list('almost equal numbers', (index) => middle + 1 + index / 1e9),
    list('two numbers', (index) => index % 2),
    list('up and down', (index, size) => (index < size / 2 ? index : size - index)),
  ];
}

function hostileItems(schema: JsonObject, sample: JsonValue): readonly Shape[] {
  const items = isJsonObject(schema['items'] ?? null) ? (schema['items'] as JsonObject) : {};
  const [first = null] = Array.isArray(sample) ? sample : [];
  const repeated: Shape = { name: 'the sample repeated', of: (size) => listOf(size, () => first) };
  if (items['type'] === 'number' || items['type'] === 'integer') return hostileNumbers(items);
  if (items['type'] === 'string') {
    const longest = typeof items['maxLength'] === 'number' ? items['maxLength'] : 100;
    const text = typeof first === 'string' ? first : 'a';
    return [
      repeated,
      { name: 'distinct texts', of: (size) => listOf(size, (index) => `${text}${index}`) },
      { name: 'distinct numbers', of: (size) => listOf(size, (index) => `1.${index}.0`) },
      ...hostileTexts(text).map(({ name, of }) => ({
        name: `items of ${name}`,
        of: (size: number) => listOf(size, () => of(longest)),
      })),
    ];
  }
  const columns = Math.min(typeof items['maxProperties'] === 'number' ? items['maxProperties'] : 100, 100);
  return [
    repeated,
    { name: 'a distinct key each', of: (size) => listOf(size, (index) => ({ [`k${index}`]: index })) },
    { name: 'two distinct keys each', of: (size) => listOf(size, (index) => ({ [`k${index}`]: 1, [`l${index}`]: 2 })) },
    {
      name: 'many equal keys',
      of: (size) => listOf(size, () => objectOf(columns, (column) => [`c${column}`, column])),
    },
    { name: 'empty objects', of: (size) => listOf(size, () => ({})) },
    ...['"', '=', '\n', '😀'].map((part) => ({
      name: `long values of ${JSON.stringify(part)}`,
      of: (size: number) => listOf(size, () => ({ a: part.repeat(200) })),
    })),
  ];
}

/** Documents of any kind. */
function hostileDocuments(schema: JsonObject): readonly Shape[] {
  const types: readonly JsonValue[] = Array.isArray(schema['type']) ? schema['type'] : [schema['type'] ?? null];
  const one = schema['maxProperties'] === 1;
  const lists: readonly Shape<JsonValue[]>[] = [
    { name: 'a list of equal numbers', of: (size) => listOf(size, () => 7) },
    { name: 'a list of distinct texts', of: (size) => listOf(size, (index) => `t${index}`) },
    { name: 'a list of empty lists', of: (size) => listOf(size, () => []) },
    { name: 'a list of equal objects', of: (size) => listOf(size, () => ({ a: 1, b: 'x' })) },
    {
      name: 'a list of objects with a distinct key each',
      of: (size) => listOf(size, (index) => ({ [`k${index}`]: 1 })),
    },
    { name: 'nested lists', of: (size) => towers(size, (inner) => [inner]) },
    { name: 'nested objects', of: (size) => towers(size, (inner) => ({ a: inner })) },
    { name: 'a wide tree', of: (size) => listOf(Math.ceil(size / 1_000), () => listOf(1_000, (index) => index)) },
    ...['a', '"', '\n', '😀', '<', '- ', '#', "'"].map((part) => ({
      name: `one long text of ${JSON.stringify(part)}`,
      of: (size: number) => [part.repeat(size * 10)],
    })),
    { name: 'long lines', of: (size) => listOf(Math.ceil(size / 100), () => 'word '.repeat(200)) },
  ];
  const objects: readonly Shape<JsonObject>[] = [
    { name: 'distinct keys', of: (size) => objectOf(size, (index) => [`k${index}`, index]) },
    { name: 'keys like numbers', of: (size) => objectOf(size, (index) => [String(index), '']) },
    { name: 'long keys', of: (size) => objectOf(Math.ceil(size / 10), (index) => [`${'k'.repeat(100)}${index}`, 1]) },
  ];
  const wrapped = [...lists, ...objects].map(({ name, of }) => ({
    name: `a member of ${name}`,
    of: (size: number) => ({ a: of(size) }),
  }));
  return [...(types.includes('array') ? lists : wrapped), ...(types.includes('object') && !one ? objects : [])];
}

const sizeOf = (schema: JsonObject, ...names: readonly string[]): number =>
  Math.max(0, ...names.map((name) => (typeof schema[name] === 'number' ? schema[name] : 0)));

/** Values: those of a document that is bounded by the number of its members on each level only. */
const DOCUMENT_VALUES = 50_000;

/** The kinds of values of a parameter, and their sizes; none where it has no size. */
export function hostileValues(
  schema: JsonObject,
  sample: JsonValue | undefined,
): { shapes: readonly Shape[]; largest: number } {
  const { type } = schema;
  if (type === 'string' && schema['enum'] === undefined) {
    const largest = sizeOf(schema, 'maxLength');
    return { shapes: largest === 0 ? [] : hostileTexts(typeof sample === 'string' ? sample : 'a'), largest };
  }
  if (type === 'array') return { shapes: hostileItems(schema, sample ?? null), largest: sizeOf(schema, 'maxItems') };
  if (type === 'object' && isJsonObject(schema['additionalProperties'] ?? null)) {
    const largest = sizeOf(schema, 'maxProperties');
    return { shapes: [{ name: 'members', of: (size) => objectOf(size, (index) => [`k${index}`, index]) }], largest };
  }
  if (type === 'object' || Array.isArray(type)) return { shapes: hostileDocuments(schema), largest: DOCUMENT_VALUES };
  return { shapes: [], largest: 0 };
}
