import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { mapResult, mapValues, parseSingularQuery, resultFieldsOf } from '@capability-router/contracts';
import { isJsonObject, isToolId, type JsonObject } from '@capability-router/kernel';
import ajvFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  builtinCapabilities,
  builtinCategories,
  builtinOperationsUrl,
  builtinProviders,
  builtinTools,
} from './index.js';
import { operations } from './worker.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);

const chinese = /\p{Script=Han}/u;
const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const propertiesOf = (schema: JsonObject) =>
  Object.entries(asObject(schema['properties'])).map(([name, property]) => [name, asObject(property)] as const);

describe('the catalogue', () => {
  it('has at least 30 tools of 8 providers, each id once', () => {
    expect(builtinTools.length).toBeGreaterThanOrEqual(30);
    expect(builtinProviders).toHaveLength(8);
    expect(new Set(builtinTools.map(({ toolId }) => toolId)).size).toBe(builtinTools.length);
  });

  it('has free tools and tools priced per call, per row and per kilobyte', () => {
    const kinds = builtinTools.map(({ price }) => (price.amountMicroCredits === '0' ? 'free' : price.metering.kind));
    expect(new Set(kinds)).toEqual(new Set(['free', 'call', 'result_rows', 'parameter_kilobytes']));
  });

  it('uses every provider and every category that it defines, and no other', () => {
    expect(new Set(builtinTools.map(({ providerId }) => providerId))).toEqual(
      new Set(builtinProviders.map(({ providerId }) => providerId)),
    );
    expect(new Set(builtinTools.flatMap(({ categories }) => categories))).toEqual(
      new Set(builtinCategories.map(({ slug }) => slug)),
    );
  });

  it('has at least 12 capabilities, each id once', () => {
    expect(builtinCapabilities.length).toBeGreaterThanOrEqual(12);
    expect(new Set(builtinCapabilities.map(({ capabilityId }) => capabilityId)).size).toBe(builtinCapabilities.length);
  });

  it('speaks English and Chinese', () => {
    for (const { name, description } of [...builtinProviders, ...builtinCategories, ...builtinCapabilities]) {
      for (const text of [name, description]) {
        expect(text.en).not.toBe('');
        expect(text.zh).toMatch(chinese);
      }
    }
  });

  it('is served by built operations that a process of tools can load', () => {
    expect(existsSync(new URL(builtinOperationsUrl))).toBe(true);
  });
});

describe.each(builtinTools.map((tool) => [tool.toolId, tool] as const))('%s', (toolId, tool) => {
  const properties = propertiesOf(tool.parametersSchema);

  it('has an id of its provider and an operation', () => {
    expect(isToolId(toolId)).toBe(true);
    expect(toolId).toMatch(/^[a-z]+\.[a-z_]+\.[a-z_]+\.v[1-9]\d*$/);
    expect(toolId.startsWith(`${tool.providerId}.`)).toBe(true);
    expect(tool.binding.kind === 'builtin' && operations.has(tool.binding.operation)).toBe(true);
  });

  it('describes itself and every parameter in English and Chinese', () => {
    expect(tool.name.zh).toMatch(chinese);
    expect(tool.description.zh).toMatch(chinese);
    expect(tool.description.en.length).toBeGreaterThan(40);
    for (const [name, property] of properties) {
      expect(property['description']).toEqual(expect.stringMatching(/[A-Za-z]/));
      expect(tool.parameterDescriptionsZh?.[name]).toMatch(chinese);
    }
  });

  it('has a closed schema that takes its sample parameters and refuses others', () => {
    const validate = ajv.compile(tool.parametersSchema);
    expect(validate(tool.sampleParameters) ? [] : validate.errors).toEqual([]);
    expect(validate({ ...tool.sampleParameters, unknown_parameter: 1 })).toBe(false);
  });

  it('bounds every parameter', () => {
    for (const [, property] of properties) expectBounded(property);
  });

  it('names parameters of its own in one_of_required, and its sample has one of each group', () => {
    const names = new Set(properties.map(([name]) => name));
    for (const group of tool.oneOfRequired) {
      expect(group.every((name) => names.has(name))).toBe(true);
      expect(group.some((name) => name in tool.sampleParameters)).toBe(true);
    }
  });

  it('has a price whose upper bound is known before the call', () => {
    const { metering, amountMicroCredits, minimumMicroCredits } = tool.price;
    expect(amountMicroCredits).toMatch(/^\d+$/);
    const property = (name: string): JsonObject => Object.fromEntries(properties)[name] ?? {};
    if (metering.kind === 'result_rows') {
      const limit = property(metering.limitParameter ?? '');
      expect(limit).toMatchObject({ maximum: metering.maxUnits, default: metering.defaultLimit });
      expect(BigInt(minimumMicroCredits ?? '0')).toBeGreaterThan(0n);
    }
    if (metering.kind === 'parameter_kilobytes') {
      const { type, maxLength } = property(metering.parameter);
      expect(type).toBe('string');
      expect(metering.maxUnits * 1_024).toBeGreaterThanOrEqual(Number(maxLength) * 4);
      expect(BigInt(minimumMicroCredits ?? '0')).toBeGreaterThan(0n);
    }
  });

  it('answers within a bounded time', () => {
    expect(tool.timeoutMs).toBeGreaterThan(0);
    expect(tool.timeoutMs).toBeLessThanOrEqual(100_000);
  });
});

/** Strings, lists and objects have a greatest size; so do the items in them. */
function expectBounded(schema: JsonObject): void {
  const { type, items, additionalProperties } = schema;
  const types = [type].flat();
  if (types.includes('string')) {
    const bounds = [schema['maxLength'], schema['enum'], schema['pattern']];
    expect(bounds.some((bound) => bound !== undefined)).toBe(true);
  }
  if (types.includes('array')) {
    expect(schema['maxItems']).toEqual(expect.any(Number));
    expectBounded(asObject(items));
  }
  if (types.includes('object')) {
    expect(schema['maxProperties']).toEqual(expect.any(Number));
    expectBounded(asObject(additionalProperties));
  }
}

describe.each(builtinCapabilities.map((capability) => [capability.capabilityId, capability] as const))(
  'capability %s',
  (capabilityId, capability) => {
    const tools = capability.candidates.map(({ toolId }) => builtinTools.find((tool) => tool.toolId === toolId));

    it('has two or three candidates, of different providers at different prices', () => {
      expect([2, 3]).toContain(tools.length);
      expect(new Set(tools.map((tool) => tool?.providerId)).size).toBe(tools.length);
      expect(new Set(tools.map((tool) => JSON.stringify(tool?.price))).size).toBe(tools.length);
    });

    it('maps from single places to names that the tool and the capability have', () => {
      for (const { toolId, parameters = {}, result = {} } of capability.candidates) {
        const known = asObject(builtinTools.find((tool) => tool.toolId === toolId)?.parametersSchema['properties']);
        expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(parameters)));
        for (const mapped of [...Object.values(parameters), ...Object.values(result)]) {
          if ('from' in mapped) expect(parseSingularQuery(mapped.from).length).toBeGreaterThan(0);
        }
      }
    });

    it('is exactly what the tools say they can serve', () => {
      const serving = builtinTools.filter(({ capabilities }) => capabilities.some(({ id }) => id === capabilityId));
      expect(serving.map(({ toolId }) => toolId).sort()).toEqual(
        capability.candidates.map(({ toolId }) => toolId).sort(),
      );
    });

    it('is answered in its own shape by every candidate, from the same parameters', async () => {
      const validateParameters = ajv.compile(capability.parametersSchema);
      const validateResult = ajv.compile(capability.resultSchema);
      const sample = capability.sampleParameters ?? {};
      expect(validateParameters(sample) ? [] : validateParameters.errors).toEqual([]);
      for (const { toolId, parameters, result } of capability.candidates) {
        const own = asObject(mapValues(parameters, sample));
        const schema = builtinTools.find((tool) => tool.toolId === toolId)?.parametersSchema ?? false;
        const validateOwn = ajv.compile(schema);
        expect(validateOwn(own) ? [] : validateOwn.errors).toEqual([]);
        const answer = (await operations.get(toolId)?.(own)) ?? null;
        const mapped = mapResult(result, resultFieldsOf(capability.resultSchema), answer);
        expect(mapped).toHaveProperty('data');
        expect(validateResult('data' in mapped && mapped.data) ? [] : validateResult.errors).toEqual([]);
      }
    });
  },
);

describe('a field of several types', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['astronomy.sun_times', { latitude: 78.2, longitude: 15.6, date: '2026-12-21' }, { sunrise: null, sunset: null }],
    ['finance.check_card', { card_number: '9999 9999 9999 9995' }, { brand: null }],
    ['data.yaml_to_json', { yaml: '42' }, { value: 42 }],
    ['data.yaml_to_json', { yaml: 'a: [~]' }, { value: { a: [null] } }],
  ])('of %s, asked for %j, has what every candidate serves', async (capabilityId, parameters, data) => {
    const capability = builtinCapabilities.find((one) => one.capabilityId === capabilityId);
    const fields = resultFieldsOf(capability?.resultSchema ?? {});
    for (const { toolId, ...mappings } of capability?.candidates ?? []) {
      const own = asObject(mapValues(mappings.parameters, parameters));
      const answer = (await operations.get(toolId)?.(own)) ?? null;
      expect([toolId, mapResult(mappings.result, fields, answer)]).toMatchObject([toolId, { data }]);
    }
    expect(capability?.candidates.length).toBeGreaterThanOrEqual(2);
  });
});

describe('two candidates of one capability', () => {
  const answersOf = (capabilityId: string, parameters: JsonObject) =>
    Promise.all(
      (builtinCapabilities.find((capability) => capability.capabilityId === capabilityId)?.candidates ?? []).map(
        async ({ toolId, ...mappings }) =>
          mapValues(
            mappings.result,
            (await operations.get(toolId)?.(asObject(mapValues(mappings.parameters, parameters)))) ?? null,
          ),
      ),
    );

  it.each<[string, JsonObject, JsonObject]>([
    ['finance.check_iban', { iban: 'DE88370400440532013000' }, { valid: false }],
    ['finance.check_card', { card_number: '4111111111111112' }, { valid: false }],
    ['communication.check_email', { email: 'nobody' }, { valid: false }],
    ['math.describe', { numbers: [1, 2, 3, 10] }, { count: 4, mean: 4, median: 2.5, minimum: 1, maximum: 10 }],
    ['data.query_json', { document: { a: [1, 2, 3] }, path: '$.a[1:]' }, { values: [2, 3] }],
    ['data.yaml_to_json', { yaml: 'a: {b: [x]}' }, { value: { a: { b: ['x'] } } }],
    ['color.convert', { color: 'rgb(0, 128, 255)' }, { hex: '#0080ff', rgb: { r: 0, g: 128, b: 255 } }],
    [
      'crypto.hash',
      { text: 'abc', algorithm: 'sha-384' },
      { hex: 'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7' },
    ],
  ])('%s: agree on %j', async (capabilityId, parameters, expected) => {
    const answers = await answersOf(capabilityId, parameters);
    expect(answers.length).toBeGreaterThanOrEqual(2);
    for (const answer of answers) expect(answer).toMatchObject(expected);
  });
});
