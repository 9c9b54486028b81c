import { describe, expect, it } from '@jest/globals';
import { creditsOf, moneyDifferences } from './told-revenue.js';

const lines = { opening: '0', granted: '0', used: '0', refunded: '0', expired: '0', returned: '0', corrected: '0' };
const row = { ...lines, category: 'purchased', paid_currency: 'EUR', closing: '0' };
const money = { money_recognised: '1.4271', money_expired: '0', money_returned: '0.005', money_deferred: '8.5579' };
const told = { ...lines, used: '1.43', refunded: '0', returned: '0.01', closing: '8.56' };

describe('the revenue of the tables beside that of the report', () => {
  it('has the credits of a category from every currency, as the report writes them', () => {
    const rows = [
      { ...row, used: '1500000', closing: '-1500000' },
      { ...row, paid_currency: '', used: '1', closing: '-1' },
    ];
    expect(creditsOf(rows)['purchased']).toMatchObject({ used: '1.500001', closing: '-1.500001', granted: '0' });
  });

  it('is the same where the report rounds each line to a coin', () => {
    expect(moneyDifferences([{ ...row, ...money }], { credits: {}, money: { EUR: told } })).toEqual([]);
  });

  it.each([
    ['an amount is a coin off', { money_deferred: '8.5679' }, told],
    ['the report has a refund that the tables lack', {}, { ...told, refunded: '0.02' }],
    ['the report lacks a currency', {}, undefined],
  ])('differs where %s', (_what, more, reported) => {
    const report = { credits: {}, money: reported === undefined ? {} : { EUR: reported } };
    expect(moneyDifferences([{ ...row, ...money, ...more }], report)).not.toEqual([]);
  });

  it('differs where the tables lack a currency', () => {
    const report = { credits: {}, money: { EUR: told } };
    expect(moneyDifferences([{ ...row, paid_currency: '' }], report)).not.toEqual([]);
  });
});
