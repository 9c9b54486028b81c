import { describe, expect, it } from '@jest/globals';
import type { BookableEntry } from './lot-movements.js';
import { RevenueBook, type Period } from './revenue-book.js';

const march: Period = { fromMs: Date.UTC(2026, 2), beforeMs: Date.UTC(2026, 3) };
const april: Period = { fromMs: Date.UTC(2026, 3), beforeMs: Date.UTC(2026, 4) };

type Lot = readonly [lot: string, category: string, amount: number];
const entry = (entryId: string, entryType: string, createdAt: string, lots: readonly Lot[]): BookableEntry => ({
  entryId,
  entryType: entryType as BookableEntry['entryType'],
  createdAt,
  amountMicroCredits: String(lots.reduce((sum, [, , amount]) => sum + amount, 0)),
  lots: JSON.stringify(
    lots.map(([lot_id, category, amount]) => ({ lot_id, category, amount_micro_credits: `${amount}` })),
  ),
});
const topUp = (entryId: string, amount: number, paidAmount: string, paidCurrency = 'EUR'): BookableEntry => ({
  ...entry(entryId, 'grant_payment_recharge', '2026-03-01T00:00:00.000Z', [[entryId, 'purchased', amount]]),
  paidAmount,
  paidCurrency,
});
const reportOf = (period: Period, entries: readonly BookableEntry[], decimals = 2) => {
  const book = new RevenueBook(period);
  for (const each of entries) book.add(each);
  return book.report(() => decimals);
};

describe('revenue', () => {
  const history = [
    entry('bonus', 'grant_welcome_bonus', '2026-02-28T23:59:59.999Z', [['bonus', 'welcome_bonus', 100]]),
    topUp('bought', 300, '10.00'),
    entry('c1', 'consume_tool_execute', '2026-03-02T00:00:00.000Z', [
      ['bonus', 'welcome_bonus', -60],
      ['bought', 'purchased', -100],
    ]),
    entry('x1', 'consume_grant_expiry', '2026-03-31T23:59:59.999Z', [['bonus', 'welcome_bonus', -40]]),
    entry('r1', 'grant_charge_refund', '2026-04-01T00:00:00.000Z', [['bought', 'purchased', 50]]),
    entry('p1', 'consume_payment_refund', '2026-04-02T00:00:00.000Z', [['bought', 'purchased', -150]]),
    entry('k1', 'consume_correction', '2026-04-03T00:00:00.000Z', [['bought', 'purchased', -1]]),
  ];
  const none = { granted: 0n, used: 0n, refunded: 0n, expired: 0n, returned: 0n, corrected: 0n };

  it('is told by category, in the month in which an entry was booked, whatever the order of entries', () => {
    for (const entries of [history, [...history].reverse()]) {
      const { credits, money, ledger } = reportOf(march, entries);
      expect([...credits]).toEqual([
        ['purchased', { ...none, opening: 0n, granted: 300n, used: 100n, closing: 200n }],
        ['welcome_bonus', { ...none, opening: 100n, used: 60n, expired: 40n, closing: 0n }],
      ]);
      expect(ledger).toBe(200n);
      // 3.33 of 10.00, and 6.67 that are left.
      const lines = { opening: 0n, granted: 10_000_000n, used: 3_330_000n, closing: 6_670_000n, rounding: 0n };
      expect([...money]).toEqual([['EUR', { ...none, ...lines }]]);
    }
  });

  it('books a refund in its own month, which opens with what the month before left, to the cent', () => {
    const before = reportOf(march, history).money.get('EUR');
    const { credits, money } = reportOf(april, history);
    expect(credits.get('purchased')).toEqual({
      ...none,
      ...{ opening: 200n, refunded: 50n, returned: 150n, corrected: -1n, closing: 99n },
    });
    expect(money.get('EUR')?.opening).toBe(before?.closing);
    // 6.67 + 1.67 - 5.00 - 0.03 is 3.31, and 3.30 are left.
    const lines = { refunded: 1_670_000n, returned: 5_000_000n, corrected: -30_000n, closing: 3_300_000n };
    expect(money.get('EUR')).toEqual({ ...none, opening: 6_670_000n, ...lines, rounding: -10_000n });
  });

  it('rounds the sum of a line, and not each grant, to the even coin where two are as near', () => {
    const used = (lot: string, amount: number): BookableEntry =>
      entry(`${lot}-used`, 'consume_tool_search', '2026-03-05T00:00:00.000Z', [[lot, 'purchased', -amount]]);
    // Three thirds of a cent are one cent.
    const thirds = ['a', 'b', 'c'].flatMap((lot) => [topUp(lot, 3, '0.01'), used(lot, 1)]);
    expect(reportOf(march, thirds).money.get('EUR')).toMatchObject({ used: 10_000n, closing: 20_000n, rounding: 0n });
    const halves = (paid: string): unknown => {
      const report = reportOf(march, [topUp('d', 2, paid, 'JPY'), used('d', 1)], 0);
      const { used: line, closing, rounding } = report.money.get('JPY') ?? {};
      return [line, closing, rounding];
    };
    expect(halves('3')).toEqual([2_000_000n, 2_000_000n, 1_000_000n]);
    expect(halves('5')).toEqual([2_000_000n, 2_000_000n, -1_000_000n]);
  });

  it('counts what was published before entries told their lots', () => {
    const { lots: _none, ...old } = topUp('old', 5, '1.00');
    expect(reportOf(march, [old])).toMatchObject({ entries: 1, entriesWithoutLots: 1, ledger: 5n });
  });
});
