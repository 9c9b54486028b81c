import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@capability-router/kernel';
import type { ToolContract } from '@capability-router/contracts';
import { ParameterValidator } from './parameter-validator.js';

/** The engine's own garbage collection, on demand. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** The schema that was checked against, and that nothing here holds on to. */
function checkOnce(validator: ParameterValidator, version: number): WeakRef<object> {
  const parametersSchema = {
    type: 'object',
    description: `version ${version}`,
    properties: { city: { pattern: 'x' } },
  };
  expect(validator.check(tool({ version, parametersSchema, oneOfRequired: [] }), { city: 'x' })).toEqual([]);
  return new WeakRef(parametersSchema);
}

const text = { en: 'x' };
const tool = (over: Partial<ToolContract> = {}): ToolContract => ({
  toolId: 'demo.weather.forecast.v1',
  providerId: 'demo',
  name: text,
  description: text,
  categories: [],
  capabilities: [],
  parametersSchema: {
    $id: 'https://example.com/forecast',
    type: 'object',
    additionalProperties: false,
    required: ['units'],
    properties: {
      city: { type: 'string', maxLength: 20 },
      latitude: { type: 'number', minimum: -90, maximum: 90 },
      units: { type: 'string', enum: ['metric', 'imperial'] },
      day: { type: 'string', format: 'date' },
      hours: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
    },
  },
  oneOfRequired: [['city', 'latitude']],
  sampleParameters: {},
  price: { metering: { kind: 'call' }, amountMicroCredits: '0', unitLabel: 'call' },
  binding: { kind: 'builtin', operation: 'x' },
  timeoutMs: 1_000,
  asOfSupport: false,
  version: 1,
  schemaHash: 'a'.repeat(64),
  provider: { providerId: 'demo', name: text, description: text },
  categoryDefinitions: [],
  ...over,
});

describe('parameters', () => {
  const validator = new ParameterValidator();
  const faultsOf = (parameters: JsonObject) =>
    validator.check(tool(), parameters).map(({ type, loc }) => `${type} ${loc.join('.')}`);

  it('pass when they fit the schema and every group has a member', () => {
    expect(faultsOf({ units: 'metric', city: 'Bern', day: '2026-02-28', hours: [1, 2] })).toEqual([]);
  });

  it.each<[JsonObject, string]>([
    [{ city: 'Bern' }, 'missing body.parameters.units'],
    [{ units: 'kelvin', city: 'Bern' }, 'enum body.parameters.units'],
    [{ units: 'metric', city: 7 }, 'string_type body.parameters.city'],
    [{ units: 'metric', city: 'x'.repeat(21) }, 'too_long body.parameters.city'],
    [{ units: 'metric', latitude: 91 }, 'less_than_equal body.parameters.latitude'],
    [{ units: 'metric', latitude: '9' }, 'float_type body.parameters.latitude'],
    [{ units: 'metric', city: 'Bern', day: '2026-02-30' }, 'format body.parameters.day'],
    [{ units: 'metric', city: 'Bern', hours: [1, 2.5] }, 'int_type body.parameters.hours.1'],
    [{ units: 'metric', city: 'Bern', hours: [1, 2, 3, 4] }, 'too_long body.parameters.hours'],
    [{ units: 'metric' }, 'one_of_required body.parameters'],
    [{ units: 'metric', city: 'Bern', 'a/b~c': 1 }, 'extra_forbidden body.parameters.a/b~c'],
  ])('%j are refused with the field at fault', (parameters, fault) => {
    expect(faultsOf(parameters)).toContain(fault);
  });

  it('name the known field that an unknown one is closest to', () => {
    const [detail] = validator.check(tool(), { units: 'metric', city: 'Bern', ctiy: 'Bern' });
    expect(detail).toMatchObject({ type: 'extra_forbidden', loc: ['body', 'parameters', 'ctiy'], input: 'Bern' });
    expect(detail?.msg).toContain('did you mean "city"');
  });

  it.each<[string, string, boolean]>([
    ['^[A-Z]{3}$', 'USD', true],
    ['^[A-Z]{3}$', 'usd', false],
    ['\\d', 'room 7', true],
    ['^\\p{Script=Han}+$', '伯尔尼', true],
    ['^\\u0041\\/x$', 'A/x', true],
    ['^(?!x).*$', 'x', true],
  ])('are checked against the pattern %s: %s', (pattern, city, right) => {
    const properties = { city: { type: 'string', pattern } };
    const patterned = tool({
      schemaHash: pattern,
      parametersSchema: { type: 'object', properties },
      oneOfRequired: [],
    });
    const faults = validator.check(patterned, { city }).map(({ type }) => type);
    expect(faults).toEqual(right ? [] : ['string_pattern_mismatch']);
  });

  it('that would make a pattern backtrack for ever are checked at once', () => {
    const properties = { city: { type: 'string', pattern: '^(a+)+$' } };
    const patterned = tool({ schemaHash: 'x', parametersSchema: { type: 'object', properties }, oneOfRequired: [] });
    const [fault] = validator.check(patterned, { city: `${'a'.repeat(50_000)}b` });
    expect(fault?.type).toBe('string_pattern_mismatch');
  });

  it('hold no number beyond those that there are, wherever it stands and whatever the schema takes', () => {
    const anything = tool({ parametersSchema: {}, oneOfRequired: [] });
    const sent = JSON.parse('{"a":{"b":[1,1e400,-1e400]},"c":1e308}') as JsonObject;
    const details = new ParameterValidator().check(anything, sent);
    expect(details).toMatchObject([
      { type: 'finite_number', loc: ['body', 'parameters', 'a', 'b', 1], received: 'number beyond ±1.79e308' },
      { type: 'finite_number', loc: ['body', 'parameters', 'a', 'b', 2] },
    ]);
    const many = { list: Array.from({ length: 50 }, () => Infinity) };
    expect(new ParameterValidator().check(anything, many)).toHaveLength(20);
    expect(new ParameterValidator().check(anything, { a: { b: [1, 2] }, c: 1e308 })).toEqual([]);
  });

  it('list at most 20 faults', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, index]));
    expect(validator.check(tool(), many)).toHaveLength(20);
  });

  it('of lists longer than are compiled one by one get the same faults as of short ones', () => {
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    const listing = (values: readonly string[]): ToolContract =>
      tool({
        schemaHash: String(values.length),
        parametersSchema: { type: 'object', required: [...values], properties: { n0: { enum: [...values] } } },
        oneOfRequired: [],
      });
    const faults = (values: readonly string[]): unknown[] =>
      validator.check(listing(values), { n0: 'other' }).map(({ type, loc }) => [type, loc.join('.')]);
    const missing = (count: number): unknown[] =>
      names.slice(1, count).map((name) => ['missing', `body.parameters.${name}`]);
    expect(faults(names.slice(0, 10))).toEqual([...missing(10), ['enum', 'body.parameters.n0']]);
    expect(faults(names)).toEqual(missing(21));
    const all = Object.fromEntries(names.map((name) => [name, 'n1']));
    expect(validator.check(listing(names), all)).toEqual([]);
    expect(validator.check(listing(names), { ...all, n0: 'other' })).toMatchObject([{ type: 'enum' }]);
  });

  it('are checked through references, each definition once compiled, also of schemas larger than are published now', () => {
    const members = (schema: JsonObject): JsonObject =>
      Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`p${index}`, schema]));
    const inner = { type: 'object', additionalProperties: false, properties: members({ type: 'integer' }) };
    const large = tool({
      schemaHash: 'large',
      parametersSchema: {
        type: 'object',
        additionalProperties: false,
        properties: members({ $ref: '#/$defs/inner' }),
        $defs: { inner },
      },
      oneOfRequired: [],
    });
    expect(validator.check(large, { p1: { p2: 3 }, p399: { p399: 4 } })).toEqual([]);
    const faults = validator.check(large, { p1: { p2: 'x' }, p399: { p400: 4 }, p400: {} });
    expect(faults.map(({ type, loc }) => `${type} ${loc.join('.')}`).sort()).toEqual([
      'extra_forbidden body.parameters.p399.p400',
      'extra_forbidden body.parameters.p400',
      'int_type body.parameters.p1.p2',
    ]);
  });

  it('follow a new version of the schema, also with the same $id, and when the bound is reached', () => {
    const small = new ParameterValidator(2);
    for (let version = 1; version <= 6; version += 1) {
      const next = tool({
        version,
        parametersSchema: { $id: 'https://example.com/forecast', maxProperties: version },
        oneOfRequired: [],
      });
      const parameters = Object.fromEntries(Array.from({ length: version }, (_, index) => [`p${index}`, 1]));
      expect(small.check(next, parameters)).toEqual([]);
      expect(small.check(next, { ...parameters, more: 1 })).toHaveLength(1);
    }
  });

  it('are checked against schemas in use that are never all compiled again together', () => {
    const small = new ParameterValidator(40);
    let compiled = 0;
    const counted = (toolId: string): ToolContract =>
      Object.defineProperty(tool({ toolId, oneOfRequired: [] }), 'parametersSchema', {
        get: () => {
          compiled += 1;
          return { type: 'object' };
        },
      });
    const inUse = ['a', 'b', 'c', 'd', 'e'].map(counted);
    for (const hot of inUse) small.check(hot, {});
    expect(compiled).toBe(inUse.length);
    const again: number[] = [];
    for (let number = 0; number < 500; number += 1) {
      small.check(counted(`new${number}`), {});
      compiled = 0;
      for (const hot of inUse) small.check(hot, {});
      again.push(compiled);
    }
    expect(Math.max(...again)).toBe(1);
    expect(again.reduce((sum, count) => sum + count, 0)).toBeLessThan(250);
  });

  it('are told their first fault where they are large, and where each value is wrong', () => {
    const schema = { type: 'object', additionalProperties: false, properties: { list: { items: { type: 'string' } } } };
    const large = tool({ version: 98, parametersSchema: schema, oneOfRequired: [] });
    const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1]));
    expect(validator.check(large, unknown)).toEqual([expect.objectContaining({ type: 'extra_forbidden' })]);
    const numbers = Array.from({ length: 10_000 }, () => 1);
    expect(validator.check(large, { list: numbers })).toEqual([
      expect.objectContaining({ type: 'string_type', loc: ['body', 'parameters', 'list', 0] }),
    ]);
    expect(validator.check(large, { list: numbers.map(String) })).toEqual([]);
    // Every fault of few values is told.
    expect(validator.check(large, { list: [1, 2, 3], other: 1 })).toHaveLength(4);
  });

  it('may bear names that every object inherits', () => {
    const parametersSchema = {
      type: 'object',
      required: ['constructor'],
      properties: { constructor: { type: 'string' }, toString: { type: 'array' } },
    };
    const inherited = tool({ version: 97, parametersSchema, oneOfRequired: [['constructor', 'valueOf']] });
    expect(validator.check(inherited, { constructor: 'x' })).toEqual([]);
    expect(validator.check(inherited, {}).map(({ type, loc }) => `${type} ${loc.join('.')}`)).toEqual([
      'one_of_required body.parameters',
      'missing body.parameters.constructor',
    ]);
  });

  it('are refused to a schema that is none, instead of being taken for right', () => {
    const broken = tool({ version: 99, parametersSchema: { type: 'object', required: 'city' } });
    expect(() => validator.check(broken, {})).toThrow(/schema is invalid/);
  });

  it('let go of the schemas of tools that are not called any more', async () => {
    const small = new ParameterValidator(2);
    const collect = collector();
    const forgotten = checkOnce(small, 1);
    for (let version = 2; version <= 6; version += 1) checkOnce(small, version);
    // A WeakRef keeps its target alive until the current job ends.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(forgotten.deref()).toBeUndefined();
  });
});
