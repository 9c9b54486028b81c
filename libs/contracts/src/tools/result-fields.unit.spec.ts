import { describe, expect, it } from '@jest/globals';
import { isResultField, mapResult, resultFieldsOf, type ResultFields } from './result-fields.js';

const fields: ResultFields = {
  degrees: { type: 'number', required: true },
  rows: { type: 'array', required: false },
  count: { type: 'integer', required: false },
};

describe('the result of a capability', () => {
  it('is made by the mapping and serves where it has what the contract promises', () => {
    const mapping = { degrees: { from: '$.now.t' }, count: { value: 1 } };
    expect(mapResult(mapping, fields, { now: { t: 21.5 } })).toEqual({ data: { degrees: 21.5, count: 1 } });
  });

  it('is the own result of the tool where there is no mapping, with fields that nobody promised', () => {
    expect(mapResult(undefined, fields, { degrees: 0, more: true })).toEqual({ data: { degrees: 0, more: true } });
  });

  it.each([
    [{ now: 1 }, 'the field degrees is missing'],
    [{ degrees: null }, 'the field degrees is missing'],
    [{ degrees: '21' }, 'the field degrees is string, and not number'],
    [{ degrees: 1, rows: {} }, 'the field rows is object, and not array'],
    [{ degrees: 1, count: 1.5 }, 'the field count is number, and not integer'],
    [[1], 'the result is array, and not an object'],
  ])('%j does not serve: %s', (data, misfit) => {
    expect(mapResult(undefined, fields, data)).toEqual({ misfit });
  });

  describe('with fields that may be null', () => {
    const times: ResultFields = {
      sunrise: { type: ['string', 'null'], required: true },
      value: { type: 'any', required: true },
    };

    it.each([
      { sunrise: null, value: null },
      { sunrise: '06:00', value: 0 },
      { sunrise: null, value: ['x'] },
    ])('serves with %j', (data) => {
      expect(mapResult(undefined, times, data)).toEqual({ data });
    });

    it.each([
      [{ value: 1 }, 'the field sunrise is missing'],
      [{ sunrise: '06:00' }, 'the field value is missing'],
      [{ sunrise: 6, value: 1 }, 'the field sunrise is number, and not string or null'],
    ])('%j does not serve: %s', (data, misfit) => {
      expect(mapResult(undefined, times, data)).toEqual({ misfit });
    });
  });

  it('does not serve where a field has the name of what every object inherits', () => {
    const misfit = 'the field constructor is missing';
    const inherited: ResultFields = Object.fromEntries([['constructor', { type: 'object', required: true }]]);
    expect(mapResult(undefined, inherited, {})).toEqual({ misfit });
  });

  it('does not serve where the mapping is none', () => {
    expect(mapResult({ degrees: { from: '$..t' } }, fields, {})).toHaveProperty('misfit');
  });
});

describe('the fields of a contract', () => {
  it('are what the schema of its result describes, in its order', () => {
    const properties = {
      sunrise: { type: ['string', 'null'], description: 'UTC.' },
      km: { type: 'number', minimum: 0, unit: 'km' },
      value: { description: 'The document.' },
    };
    const fields = resultFieldsOf({ type: 'object', required: ['sunrise', 'value'], properties });
    expect(Object.entries(fields)).toEqual([
      ['sunrise', { type: ['string', 'null'], required: true }],
      ['km', { type: 'number', required: false }],
      ['value', { type: 'any', required: true }],
    ]);
    expect(resultFieldsOf({ type: 'object' })).toEqual({});
  });

  it.each([
    [{ type: 'string', required: true }, true],
    [{ type: ['integer', 'null'], required: false }, true],
    [{ type: [], required: true }, false],
    [{ type: ['text'], required: true }, false],
    [{ type: 'string' }, false],
    [{ required: true }, false],
    ['string', false],
  ])('%j is one: %s', (value, is) => {
    expect(isResultField(value)).toBe(is);
  });
});
