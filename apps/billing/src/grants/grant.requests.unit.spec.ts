import { describe, expect, it } from '@jest/globals';
import { requireValid } from '@capability-router/service-kit';
import { GrantRequest, paidBy } from './grant.requests.js';

const paid = (members: Record<string, unknown>) =>
  paidBy(requireValid(GrantRequest, { category: 'purchased', amount_credits: 5, ...members }));

describe('the money paid for a grant', () => {
  it.each(['12.50', '0.01', '999999999999.999999', '1200'])('is kept as it was written: %s', (amount) => {
    expect(paid({ paid_amount: amount, paid_currency: 'EUR' })).toEqual({ paidAmount: amount, paidCurrency: 'EUR' });
  });

  it('may be left out, or null', () => {
    expect(paid({})).toBeUndefined();
    expect(paid({ category: 'trial', paid_amount: null, paid_currency: null })).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['a number, which may be rounded', { paid_amount: 12.5, paid_currency: 'EUR' }, /paid_amount/],
    ['no money', { paid_amount: '0.00', paid_currency: 'EUR' }, /above 0/],
    ['less than none', { paid_amount: '-1', paid_currency: 'EUR' }, /above 0/],
    ['a currency that there is not', { paid_amount: '1', paid_currency: 'ZZZ' }, /ISO 4217/],
    ['a comma', { paid_amount: '12,50', paid_currency: 'EUR' }, /such as "12.50"/],
    ['a power of ten', { paid_amount: '1e3', paid_currency: 'EUR' }, /decimal number/],
    ['more digits than are kept', { paid_amount: '1.0000001', paid_currency: 'EUR' }, /6 behind the point/],
    ['no currency', { paid_amount: '12.50' }, /paid_currency is missing/],
    ['a currency alone', { paid_currency: 'EUR' }, /paid_amount is missing/],
    ['a sign for a currency', { paid_amount: '12.50', paid_currency: '€' }, /three capital letters/],
    ['a gift', { category: 'welcome_bonus', paid_amount: '1', paid_currency: 'EUR' }, /category purchased/],
  ])('is refused with %s', (_what, members, message) => {
    expect(() => paid(members)).toThrow(message);
  });
});
