import { describe, expect, it } from '@jest/globals';
import { objectOf, parseJson, textOf } from '../../../console/dist/json.js';

describe('amounts in the console', () => {
  it.each(['0.000001', '-0.003', '19.497', '123456789012.123456', '9007199254740993', '1e-6', '0.10'])(
    'have the digits of the answer: %s',
    (digits) => {
      const { amount } = objectOf(parseJson(`{"amount": ${digits}}`));
      expect(textOf(amount)).toBe(digits);
      expect(JSON.stringify({ amount })).toBe(`{"amount":${digits}}`);
    },
  );

  it('are told from texts, and absent ones are empty', () => {
    expect(parseJson('{"a": "1.0", "b": true, "c": null, "d": [1]}')).toMatchObject({ a: '1.0', b: true, c: null });
    expect([textOf(undefined), textOf(null), textOf(true)]).toEqual(['', '', 'true']);
  });
});
