import { describe, expect, it } from '@jest/globals';
import { runTool } from '../../test-support/run-tool.js';

describe('a regression', () => {
  const fit = (x: number[], y: number[]) => runTool('formula.regression.fit.v1', { x, y });

  it('is that of the first set of Anscombe', async () => {
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
    const close = (value: number) => expect.closeTo(value, 4);
    expect(await fit(x, y)).toEqual({
      count: 11,
      slope: close(0.5001),
      intercept: close(3.0001),
      correlation: close(0.8164),
      r_squared: close(0.6665),
    });
  });

  it('has no correlation of a level line', async () => {
    expect(await fit([1, 2, 3], [4, 4, 4])).toMatchObject({ slope: 0, intercept: 4, correlation: null });
  });

  it('says what is wrong with the numbers', async () => {
    await expect(fit([1, 2], [1, 2, 3])).rejects.toThrow('as many of both');
    await expect(fit([1, 1], [1, 2])).rejects.toThrow('two different ones');
  });
});

it('summarises one number', async () => {
  expect(await runTool('toolbox.numbers.summarize.v1', { values: [7] })).toMatchObject({
    n: 1,
    average: 7,
    standard_deviation: 0,
    outliers: [],
  });
});

describe('a currency', () => {
  it('is found by number and by country', async () => {
    const find = (parameters: Record<string, string>) => runTool('atlas.currency.facts.v1', parameters);
    expect(await find({ currency_code: '978' })).toMatchObject({
      rows: [{ code: 'EUR', symbol: '€', name_zh: '欧元' }],
    });
    expect(await find({ country_code: 'CN' })).toMatchObject({ rows: [{ code: 'CNY' }] });
    expect(await find({ currency_code: 'QQQ' })).toEqual({ rows: [] });
  });
});
