import { describe, expect, it } from '@jest/globals';
import { readCapabilityQuery } from './capability-query.request.js';

const faultsOf = (body: unknown): [string, string][] => {
  const read = readCapabilityQuery(body);
  return read.ok ? [] : read.error.map(({ loc, type }) => [loc.slice(1).join('.'), type]);
};
const id = { capability_id: 'geo.distance' };

describe('the body of a query', () => {
  it('has every member that the specification names', () => {
    const read = readCapabilityQuery({
      ...id,
      params: { from: 'Bern' },
      max_credits: 0.5,
      max_response_size: -1,
      session_id: 's',
      search_id: 'srch_1',
      run_id: 'r',
      provider_id: 'geokit',
      provider_ids: ['geokit', 'other'],
      prefer: 'speed',
    });
    expect(read).toEqual({
      ok: true,
      value: {
        wanted: { capabilityId: 'geo.distance' },
        parameters: { from: 'Bern' },
        maxCredits: 500_000n,
        maxResponseSize: -1,
        constraints: { providerId: 'geokit', providerIds: ['geokit', 'other'], prefer: 'speed' },
      },
    });
  });

  it('takes null for absent, and no parameters for none', () => {
    const read = readCapabilityQuery({ query: 'how far', capability_id: null, max_credits: null, params: null });
    expect(read).toEqual({ ok: true, value: { wanted: { query: 'how far' }, parameters: {}, constraints: {} } });
  });

  it.each(['max_credits', 'max_response_size'])('has no %s beyond all numbers, and says what came', (name) => {
    const read = readCapabilityQuery(JSON.parse(`{"capability_id":"geo.distance","${name}":1e400}`));
    const told = { loc: ['body', name], type: 'finite_number', received: 'number beyond ±1.79e308' };
    expect(read).toMatchObject({ ok: false, error: [told] });
    expect(read.ok ? {} : read.error[0]).not.toHaveProperty('input');
  });

  it('tells of a size of the result that is none which sizes there are: all bytes, or a number of them', () => {
    for (const size of [-1, 1, 20_480]) expect(faultsOf({ ...id, max_response_size: size })).toEqual([]);
    const allowed = { type: 'integer', minimum: -1, not: { const: 0 } };
    for (const size of [0, -2]) {
      const read = readCapabilityQuery({ ...id, max_response_size: size });
      expect(read).toMatchObject({ ok: false, error: [{ type: 'greater_than_equal', allowed }] });
    }
  });

  it.each<[string, unknown, string, string]>([
    ['neither an id nor a query', {}, 'capability_id', 'missing'],
    ['both', { ...id, query: 'far' }, 'query', 'value_error'],
    ['both names of parameters', { ...id, parameters: {}, params: {} }, 'params', 'value_error'],
    ['a blank id', { capability_id: '  ' }, 'capability_id', 'string_pattern_mismatch'],
    ['an id with a zero character', { capability_id: 'a\u0000' }, 'capability_id', 'string_pattern_mismatch'],
    ['an id that is no text', { capability_id: 7 }, 'capability_id', 'string_type'],
    ['parameters that are no object', { ...id, parameters: [] }, 'parameters', 'dict_type'],
    ['a budget of nothing', { ...id, max_credits: 0 }, 'max_credits', 'greater_than'],
    ['a negative budget', { ...id, max_credits: -1 }, 'max_credits', 'greater_than'],
    ['a budget in words', { ...id, max_credits: '1' }, 'max_credits', 'float_type'],
    ['a budget that rounds to nothing', { ...id, max_credits: 1e-9 }, 'max_credits', 'value_error'],
    ['a budget with seven decimals', { ...id, max_credits: 0.1234567 }, 'max_credits', 'value_error'],
    ['a budget beyond any account', { ...id, max_credits: 1e12 }, 'max_credits', 'less_than_equal'],
    ['no bytes', { ...id, max_response_size: 0 }, 'max_response_size', 'greater_than_equal'],
    ['a preference that is none', { ...id, prefer: 'luck' }, 'prefer', 'enum'],
    ['providers that are none', { ...id, provider_ids: [] }, 'provider_ids', 'too_short'],
    ['a member that it does not have', { ...id, model: 'm' }, 'model', 'extra_forbidden'],
    ['no object', [], '', 'dict_type'],
  ])('is refused with %s, and the member is named', (_what, body, loc, type) => {
    expect(faultsOf(body)).toEqual([[loc, type]]);
  });
});
