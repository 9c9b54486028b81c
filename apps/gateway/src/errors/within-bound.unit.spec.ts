import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import { MAX_ERROR_BYTES, uncountedMembers, withinBound } from './within-bound.js';

const read = (text: string): JsonObject => JSON.parse(text) as JsonObject;
const countedBytes = (error: JsonObject): number =>
  Buffer.byteLength(
    JSON.stringify(error, (name, value: JsonValue) => (uncountedMembers.has(name) ? undefined : value)),
  );
/** Bytes of an error with the copies of its message, however they came. */
const MOST_BYTES = 32_768;
const fault = (index: number): JsonObject => ({
  type: 'extra_forbidden',
  loc: ['body', 'parameters', `field${index}`],
  msg: `Unknown field "field${index}"; known fields: city, days`,
  input: index,
  received: index,
});
const members = { code: 'validation_error', retryable: false, next_step: 'Correct what is named, and send it again.' };

function execution(message: string, faults: readonly JsonObject[]): JsonObject {
  return {
    message,
    execution_id: `exec_${'0'.repeat(32)}`,
    result: {},
    success: false,
    error_message: message,
    execution_time: 0.001,
    execution_outcome: { outcome: 'refused', reason_code: 'validation_error', user_message: message, retryable: false },
    details: [...faults],
    ...members,
  };
}

describe('an error that fits', () => {
  it('is passed on as it is', () => {
    const error = execution('Too many.', [fault(0)]);
    expect(read(withinBound(error))).toEqual(error);
  });

  it('has what was decided of a query beside it, however long that is', () => {
    const error = { ...execution('None fits.', []), routing: { excluded: ['x'.repeat(2_000)] } };
    expect(read(withinBound(error))).toEqual(error);
  });
});

describe('an error that is too long', () => {
  it('loses what it says twice before it loses a fault', () => {
    const message = 'Invalid parameters: '.padEnd(670, 'x');
    const faults = ['a', 'b'].map((name) => ({ type: 'missing', loc: ['body', name], msg: 'Required', input: 1 }));
    const told = faults.map((one) => ({ ...one, field: one.loc.at(-1) ?? '', received: 1 }));
    const shown = read(withinBound(execution(message, told)));
    expect(shown['message']).toBe(message);
    expect(shown['details']).toEqual([{ ...faults[0], field: 'a' }, faults[1]]);
    expect(shown).not.toHaveProperty('details_omitted');
  });

  it('names the field of a fault that stands alone, as programs read it', () => {
    const one: JsonObject = { ...fault(0), msg: 'x'.repeat(900), field: 'parameters.field0' };
    for (const length of [20, 400, 800]) {
      const shown = read(withinBound(execution('Invalid parameters: '.padEnd(length, 'x'), [one])));
      expect(shown['details']).toMatchObject([{ loc: one['loc'], field: 'parameters.field0' }]);
    }
  });

  it('has the members of Call for older clients as they were, in their places', () => {
    const faults = Array.from({ length: 50 }, (_, index) => fault(index));
    const error = execution('Invalid parameters: '.padEnd(300, 'x'), faults);
    const shown = read(withinBound(error));
    expect(shown).toMatchObject({
      error_message: error['error_message'],
      execution_outcome: error['execution_outcome'],
    });
    expect(Object.keys(shown)).toEqual([...Object.keys(error), 'details_omitted']);
  });

  it('tells how many faults it leaves out, and keeps the first', () => {
    const faults = Array.from({ length: 50 }, (_, index) => fault(index));
    const shown = read(withinBound(execution('Invalid parameters.', faults)));
    const kept = shown['details'] as JsonObject[];
    expect(kept[0]).toMatchObject({ loc: ['body', 'parameters', 'field0'] });
    expect(kept.length + Number(shown['details_omitted'])).toBe(50);
  });

  it('fits, whatever is long in it, and tells what it is and what to do', () => {
    const characters = ['x', 'ü', '"', '\u0000', '\u{1f600}', '漢'];
    const hostile: JsonValue[] = characters.map((character) => character.repeat(30_000));
    const deep = Array.from({ length: 90 }).reduce<JsonValue>((inner) => [inner], 'x'.repeat(500));
    for (const value of [...hostile, deep, Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`k${n}`, n]))]) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      for (const error of [
        execution(text.slice(0, 5_000), [{ ...fault(0), input: value, loc: ['body', value] }]),
        {
          status: 'failure',
          message: text,
          query: value,
          search_id: 'srch_failed',
          total: 0,
          results: [],
          ...members,
        },
        { error: value, message: text, data: { any: value }, remaining_credits: 1, ...members },
        { status: 'failure', message: 'no', detail: Array.from({ length: 200 }, () => ({ any: value })), ...members },
        { status: 'failure', message: 'no', unforeseen: value, parameters: { any: value }, ...members },
      ]) {
        const shown = withinBound(error);
        expect(countedBytes(read(shown))).toBeLessThanOrEqual(MAX_ERROR_BYTES);
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(MOST_BYTES);
        expect(read(shown)).toMatchObject({
          code: 'validation_error',
          retryable: false,
          next_step: expect.any(String),
        });
        expect(read(shown)).toHaveProperty('message');
      }
    }
  });
});
