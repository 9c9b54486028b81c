import { describe, expect, it } from '@jest/globals';
import type { ToolContract } from '@capability-router/contracts';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import { checkParametersSchema, ParameterValidator } from '@capability-router/tool-calls';

/** @measures-time CPU time of compiling schemas is compared with a stall. */

/**
 * A schema is compiled on the event loop of execution and registry, when its tool is first called or probed. Whatever is
 * taken at publication is compiled in less than what counts as a stall of it, in CPU time, which a busy machine hardly changes.
 */
const STALL_MS = 200;
/** Compilations of which the cheapest counts: garbage is collected in one of them, or the machine is busy. */
const TRIES = 5;

const members = (count: number, of: (index: number) => JsonValue): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, of(index)]));
const listOf = (count: number, of: (index: number) => JsonValue): JsonValue[] =>
  Array.from({ length: count }, (_, index) => of(index));
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`);
const closed = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
});
const nested = (levels: number, wrap: (inner: JsonValue) => JsonValue): JsonValue => {
  let value: JsonValue = { type: 'string' };
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
};
const text = { type: 'string' };
const keywords = { type: 'string', minLength: 1, maxLength: 9, format: 'date-time', pattern: '^a' };
const bounds = { type: 'number', minimum: 0, maximum: 9, exclusiveMinimum: -1, exclusiveMaximum: 10, multipleOf: 1 };

/** Each in any size; `mark` makes patterns that no other compilation has seen. */
const shapes: Readonly<Record<string, (size: number, mark: string) => JsonObject>> = {
  texts: (size) => closed(members(size, () => text)),
  'texts with many keywords': (size) => closed(members(size, () => keywords)),
  'numbers with many bounds': (size) => closed(members(size, () => bounds)),
  'several types': (size) => closed(members(size, () => ({ type: ['string', 'number', 'null', 'object', 'array'] }))),
  'short lists of values': (size) => closed(members(size, (index) => ({ enum: listOf(20, (at) => index * 20 + at) }))),
  'long lists of values': (size) => closed(members(size, (index) => ({ enum: listOf(150, (at) => index * 150 + at) }))),
  'objects as values': (size) => closed({ x: { enum: listOf(size, (index) => ({ [index]: 1 })) } }),
  'short lists of names': (size) => closed(members(size, () => ({ required: names(20) }))),
  'long lists of names': (size) => closed(members(size, () => ({ required: names(190) }))),
  'names that go together': (size) => closed({ x: { dependentRequired: { a: names(size) } } }),
  'some names that go together': (size) => closed({ x: { dependentRequired: members(size, () => names(20)) } }),
  'references to one definition': (size) =>
    closed(
      members(size, () => ({ $ref: '#/$defs/a' })),
      { $defs: { a: text } },
    ),
  'references to a large definition': (size) =>
    closed(
      members(size, () => ({ $ref: '#/$defs/a' })),
      { $defs: { a: closed(members(size, () => text)) } },
    ),
  'references to many definitions': (size) =>
    closed(
      members(size, (index) => ({ $ref: `#/$defs/p${index % 100}` })),
      { $defs: members(100, () => text) },
    ),
  'references to parts of one another': (size) =>
    closed(
      members(size, (index) =>
        index % 2 === 0 ? { anyOf: [text, bounds] } : { $ref: `#/properties/p${(index - 1) % 100}` },
      ),
    ),
  alternatives: (size) => closed({ x: { anyOf: listOf(size, () => text) } }),
  constants: (size) => closed({ x: { oneOf: listOf(size, (index) => ({ const: index })) } }),
  'alternatives of objects': (size) =>
    closed({
      x: { oneOf: listOf(size, (index) => ({ properties: { k: { const: index } }, additionalProperties: text })) },
    }),
  'alternatives that evaluate': (size) =>
    closed({
      x: { unevaluatedProperties: false, anyOf: listOf(size, (index) => ({ properties: { [`k${index}`]: text } })) },
    }),
  'alternatives that evaluate items': (size) =>
    closed({ x: { unevaluatedItems: false, anyOf: listOf(size, () => ({ prefixItems: [text] })) } }),
  conditions: (size) => closed({ x: nested(size, (inner) => ({ if: text, then: { minLength: 1 }, else: inner })) }),
  negations: (size) => closed({ x: nested(size, (inner) => ({ not: inner })) }),
  'nested objects': (size) => nested(Math.min(size, 90), (inner) => closed({ a: inner })) as JsonObject,
  'lists of lists': (size) =>
    closed(members(size, () => ({ type: 'array', uniqueItems: true, items: { items: text } }))),
  'schemas that depend': (size) => closed({ x: { dependentSchemas: members(size, () => ({ required: ['a'] })) } }),
  'names by pattern': (size, mark) =>
    closed({
      x: { patternProperties: Object.fromEntries(names(size).map((name) => [`^${name}${mark}`, text])) },
    }),
  'what lists contain': (size) => closed(members(size, () => ({ contains: text, minContains: 2, maxContains: 3 }))),
  'what names are like': (size) => closed(members(size, () => ({ propertyNames: { maxLength: 3 } }))),
  'patterns of letters': (size, mark) => closed(members(1, () => ({ pattern: `^\\p{L}{${size}}${mark}$` }))),
  'a repeated pattern': (size, mark) => closed(members(size, (index) => ({ pattern: `^a{1000}${mark}${index}$` }))),
  'patterns of patterns': (size, mark) =>
    closed(members(size, (index) => ({ pattern: `^(a{10}b{20}){50}[a-zé]{0,255}${mark}${index}` }))),
  'plain patterns': (size, mark) => closed(members(size, (index) => ({ pattern: `^[a-z0-9-]{1,63}${mark}${index}$` }))),
  'nothing at all': (size) => closed(members(size, () => true)),
};

type Shape = (size: number, mark: string) => JsonObject;
const isTaken = (schema: JsonObject): boolean => checkParametersSchema(schema, []).length === 0;

/** The largest size that is taken at publication. */
function largestOf(shape: Shape): number {
  let taken = 1;
  let refused = 2;
  while (refused < 20_000 && isTaken(shape(refused, 'x'))) [taken, refused] = [refused, refused * 2];
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    if (isTaken(shape(middle, 'x'))) taken = middle;
    else refused = middle;
  }
  return taken;
}

const contractOf = (parametersSchema: JsonObject, schemaHash: string): ToolContract => ({
  toolId: 'acme.a.b.v1',
  providerId: 'acme',
  name: { en: 'a' },
  description: { en: 'a' },
  categories: [],
  capabilities: [],
  parametersSchema,
  oneOfRequired: [],
  sampleParameters: {},
  price: { metering: { kind: 'call' }, amountMicroCredits: '0', unitLabel: 'call' },
  binding: { kind: 'builtin', operation: 'x' },
  timeoutMs: 1_000,
  asOfSupport: false,
  version: 1,
  schemaHash,
  provider: { providerId: 'acme', name: { en: 'a' }, description: { en: 'a' } },
  categoryDefinitions: [],
});

/** Milliseconds of CPU. */
function compile(schema: JsonObject, hash: string): number {
  const before = process.cpuUsage();
  new ParameterValidator().check(contractOf(schema, hash), {});
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('a schema as large as is taken', () => {
  it('is compiled without a stall of the event loop', () => {
    const stalls: string[] = [];
    for (const [name, shape] of Object.entries(shapes)) {
      const size = largestOf(shape);
      const tries: number[] = [];
      for (let tried = 0; tried < TRIES && Math.min(STALL_MS, ...tries) >= STALL_MS; tried += 1) {
        tries.push(compile(shape(size, `m${tried}`), `${name}${tried}`));
      }
      if (Math.min(...tries) >= STALL_MS) stalls.push(`${name} of ${size}: ${tries.map(Math.round).join(', ')} ms`);
    }
    expect(stalls).toEqual([]);
  });
});

describe('a schema that is larger', () => {
  const faults = (schema: JsonObject): unknown => checkParametersSchema(schema, ['s']);
  const fault = (msg: string): unknown => [{ type: 'too_long', loc: ['s'], msg: expect.stringContaining(msg) }];

  it('is refused with the bound that it passes', () => {
    // Each property is a schema and one keyword; the object has three keywords and a schema for what is beside them.
    expect(faults(closed(members(372, () => text)))).toEqual([]);
    expect(faults(closed(members(373, () => text)))).toEqual(
      fault('at most 750 parts (schemas, keywords, names in lists), not 751'),
    );
    expect(faults(closed({ x: { pattern: '^a{1000}'.repeat(10) } }))).toEqual(
      fault('at most 10000 characters, not 10010'),
    );
    expect(faults(closed({ x: { dependentRequired: { a: names(200) } } }))).toEqual(fault('at most 750 parts'));
  });

  it('counts neither what explains it nor definitions as keywords', () => {
    const plain = closed(
      members(300, () => text),
      { $defs: { a: text } },
    );
    const told = closed(
      members(300, () => ({ ...text, title: 'a', description: 'b', examples: ['c'], default: 'd' })),
      {
        $defs: { a: text },
        $comment: 'e',
      },
    );
    const beyond = (schema: JsonObject): JsonObject => ({ ...schema, anyOf: listOf(300, () => text) });
    expect(faults(beyond(told))).toEqual(faults(beyond(plain)));
    expect(faults(told)).toEqual([]);
  });
});
