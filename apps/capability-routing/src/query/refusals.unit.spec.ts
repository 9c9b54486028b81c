import { describe, expect, it } from '@jest/globals';
import { readCapabilityQuery } from './capability-query.request.js';
import { invalidQuery, nobodyServes } from './refusals.js';

describe('the record of a query that is invalid', () => {
  const recordOf = (body: unknown): string | undefined => {
    const read = readCapabilityQuery(body);
    return read.ok ? undefined : invalidQuery(read.error).recordedMessage;
  };

  it('names each member with its fault, and no word of the caller', () => {
    const capability_id = 'geo.distance';
    expect(recordOf({ capability_id, max_credits: 0 })).toBe('The query is invalid: max_credits (greater_than).');
    expect(recordOf({ capability_id, 'my secret': 1, 'my plan': 1, max_credits: '1' })).toBe(
      'The query is invalid: extra_forbidden, max_credits (float_type).',
    );
    expect(recordOf([])).toBe('The query is invalid: dict_type.');
    const details = Array.from({ length: 7 }, (_, n) => ({ type: 'missing', loc: ['body', `p${n}`], msg: 'Required' }));
    expect(invalidQuery(details).recordedMessage).toMatch(/: p0 \(missing\), .* p4 \(missing\) and 2 more\.$/);
  });

  it('names members of an open map by the map, whatever the caller calls them', () => {
    const address = { type: 'object', properties: { street: { type: 'string' } } };
    const schema = {
      type: 'object',
      properties: {
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        stops: { type: 'array', items: { $ref: '#/$defs/stop' } },
      },
      patternProperties: { '^x_': { type: 'integer' } },
      $defs: { stop: { anyOf: [{ type: 'object', additionalProperties: address }] } },
    };
    const at = (...path: (string | number)[]) => ({
      type: 'string_type',
      loc: ['body', 'parameters', ...path],
      msg: '',
    });
    const recorded = (...path: (string | number)[]) => invalidQuery([at(...path)], schema).recordedMessage;
    expect(recorded('labels', 'my secret')).toBe('The query is invalid: parameters.labels (string_type).');
    expect(recorded('stops', 2, 'my home', 'street')).toBe('The query is invalid: parameters.stops.2 (string_type).');
    expect(recorded('stops', 0, 'street')).toBe('The query is invalid: parameters.stops.0.street (string_type).');
    expect(recorded('x_secret')).toBe('The query is invalid: parameters (string_type).');
    expect(recorded('constructor')).toBe('The query is invalid: parameters (string_type).');
  });
});

const excluded = [{ toolId: 'a.thing.do.v1', reason: 'over_budget', explanation: 'It may cost 2 credits.' }] as const;

describe('a query above its limit', () => {
  it('is told to raise max_credits where the caller set that, and not where the credential is what limits it', () => {
    expect(nobodyServes({ excluded }, 'caller')).toMatchObject({
      httpStatus: 422,
      code: 'budget_exceeded',
      message: expect.stringMatching(/Raise max_credits/),
    });
    const { message } = nobodyServes({ excluded }, 'credential');
    expect(message).toMatch(/this credential may spend on one query.*claim the trial/);
    expect(message).not.toContain('max_credits');
  });

  it('is not told to raise what nobody set, where the price is beyond any account', () => {
    const unproven = [{ ...excluded[0], reason: 'price_unproven' as const }];
    const { message } = nobodyServes({ excluded: unproven });
    expect(message).toMatch(/not known, or is more than any account can hold/);
    expect(message).not.toContain('max_credits');
  });
});
