import { describe, expect, it } from '@jest/globals';
import { toolDocument } from '../test-support/sample-manifest.js';
import { readManifest, type ReadManifest } from './read-manifest.js';
import { toToolDocument } from './to-document.js';

const read = (document: unknown) => readManifest(document, { base: [], maxValues: 10_000 });
const row = (over: Record<string, unknown> = {}) => toolDocument({ kind: 'tool', provider_id: 'acme', ...over });
const valueOf = (document: unknown): ReadManifest => {
  const result = read(document);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
const faultsOf = (document: unknown): string[] => {
  const result = read(document);
  return result.ok ? [] : result.error.map(({ type, loc }) => `${type} ${loc.join('.')}`);
};

/** The sample tool, whose `days` are at most 14 and whose `city` has at most 100 characters, with a metered price. */
function metered(metering: Record<string, unknown>, price: Record<string, unknown> = {}): Record<string, unknown> {
  const { parameters_schema } = toolDocument() as { parameters_schema: { properties: object } };
  const properties = { ...parameters_schema.properties, count: { type: 'integer' }, flag: { type: 'boolean' } };
  return row({
    parameters_schema: { ...parameters_schema, properties },
    price: { amount_credits: 1, metering, ...price },
  });
}
const rowsUpTo9 = { kind: 'result_rows', max_units: 9 };
const tiers = (...above: number[]) => ({ tiers: above.map((above_units) => ({ above_units, amount_credits: 1 })) });

describe('the price in a manifest', () => {
  it.each<[string, Record<string, unknown>]>([
    ['result_kilobytes', { max_units: 512 }],
    ['result_units', { path: 'usage.tokens', unit: 'token', limit_parameter: 'days', max_units: 9 }],
    ['parameter_kilobytes', { parameter: 'city' }],
    ['parameter_units', { parameter: 'city', unit: 'character' }],
  ])('%s, written from what was read, is read as the same', (kind, metering) => {
    const price = {
      amount_credits: '0.5',
      per_units: 1000,
      free_units: 2,
      minimum_credits: '0.1',
      tiers: [{ above_units: 5, amount_credits: 0.25 }],
      cache_hit_amount_credits: '0.01',
      metering: { kind, ...metering },
    };
    const [tool] = valueOf(row({ price, cache: { ttl_seconds: 60 } })).tools;
    expect(tool?.manifest).toMatchObject({
      cache: { ttlMs: 60_000 },
      price: {
        amountMicroCredits: '500000',
        perUnits: 1_000,
        freeUnits: 2,
        minimumMicroCredits: '100000',
        tiers: [{ aboveUnits: 5, amountMicroCredits: '250000' }],
        cacheHitMicroCredits: '10000',
      },
    });
    if (tool === undefined) throw new Error('a tool was read');
    expect(valueOf({ kind: 'tool', ...toToolDocument(tool.manifest) }).tools).toEqual([tool]);
  });

  it('that has none of these says nothing of them, so that the hash of a contract stays what it was', () => {
    const [tool] = valueOf(row({ price: { amount_credits: 1, metering: rowsUpTo9 } })).tools;
    expect(tool?.manifest.price).toStrictEqual({
      metering: { kind: 'result_rows', path: '', maxUnits: 9 },
      amountMicroCredits: '1000000',
      unitLabel: 'row',
    });
    expect(tool?.manifest).not.toHaveProperty('cache');
  });

  it.each<[string, Record<string, unknown>, number, string]>([
    ['the maximum of a limit', { kind: 'result_rows', limit_parameter: 'days' }, 14, 'row'],
    ['the characters of a text', { kind: 'parameter_units', parameter: 'city', unit: 'letter' }, 100, 'letter'],
    ['the bytes that they can take', { kind: 'parameter_kilobytes', parameter: 'city' }, 1, 'kilobyte'],
    ['its own', { kind: 'result_rows', limit_parameter: 'days', max_units: 3 }, 3, 'row'],
  ])('is bounded by %s', (_what, metering, maxUnits, unitLabel) => {
    const [tool] = valueOf(metered(metering)).tools;
    expect(tool?.manifest.price).toMatchObject({ metering: { maxUnits }, unitLabel });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['of rows', { kind: 'result_rows' }, 'or a "limit_parameter" whose schema has a "maximum"'],
    [
      'of rows by a limit without a maximum',
      { kind: 'result_rows', limit_parameter: 'count' },
      'or "count" a "maximum" in its schema',
    ],
    ['of kilobytes of a text', { kind: 'parameter_kilobytes', parameter: 'units' }, 'or "units" a "maxLength"'],
    ['of a number', { kind: 'parameter_units', parameter: 'count', unit: 'item' }, 'or "count" a "maximum"'],
    ['of kilobytes of the result', { kind: 'result_kilobytes' }, 'give "max_units"'],
    ['of units of the result', { kind: 'result_units', path: 'x', unit: 'token' }, 'give "max_units"'],
  ])('%s without a bound cannot be published, and it is said how to bound it', (_what, metering, advice) => {
    const result = read(metered(metering));
    const faults = result.ok ? [] : result.error;
    expect(faults).toContainEqual({
      type: 'missing',
      loc: ['price', 'metering', 'max_units'],
      msg: expect.stringContaining(advice),
      allowed: { type: 'integer', minimum: 1, maximum: 10_000_000 },
    });
    expect(faults.at(-1)?.msg).toMatch(
      /^Without an upper bound the price of a call cannot be reserved: give "max_units"/,
    );
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['units without a name', metered({ kind: 'result_units', path: 'x', max_units: 5 }), 'missing price.metering.unit'],
    [
      'units of a number that may be left out',
      metered({ kind: 'parameter_units', parameter: 'days', unit: 'day' }),
      'value_error price.metering.parameter',
    ],
    [
      'units of what cannot be counted',
      metered({ kind: 'parameter_units', parameter: 'flag', unit: 'flag', max_units: 1 }),
      'value_error price.metering.parameter',
    ],
    [
      'a limit that is no parameter',
      metered({ ...rowsUpTo9, limit_parameter: 'none' }),
      'value_error price.metering.limit_parameter',
    ],
    [
      'a bound beyond all counting',
      metered({ kind: 'result_rows', max_units: 1e12 }),
      'less_than_equal price.metering.max_units',
    ],
    ['tiers of a price per call', row({ price: { amount_credits: 1, ...tiers(1) } }), 'value_error price.tiers'],
    [
      'free units of a price per call',
      row({ price: { amount_credits: 1, free_units: 1 } }),
      'value_error price.free_units',
    ],
    ['tiers in disorder', metered(rowsUpTo9, tiers(5, 5)), 'value_error price.tiers.1.above_units'],
    [
      'a tier of seven decimals',
      metered(rowsUpTo9, { tiers: [{ above_units: 5, amount_credits: 0.0000001 }] }),
      'value_error price.tiers.0.amount_credits',
    ],
    [
      'a tier that nobody can hold',
      metered(rowsUpTo9, { tiers: [{ above_units: 5, amount_credits: 9e9 }] }),
      'value_error price.metering.max_units',
    ],
    [
      'a price of hits, and no cache',
      row({ price: { amount_credits: 1, cache_hit_amount_credits: 0 } }),
      'value_error price.cache_hit_amount_credits',
    ],
    ['a cache for two days', row({ cache: { ttl_seconds: 172_800 } }), 'less_than_equal cache.ttl_seconds'],
    ['a cache for no time', row({ cache: { ttl_seconds: 0 } }), 'greater_than_equal cache.ttl_seconds'],
  ])('with %s is refused with its path', (_what, document, fault) => {
    expect(faultsOf(document)).toContain(fault);
  });
});
