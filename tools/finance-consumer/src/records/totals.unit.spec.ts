import { describe, expect, it } from '@jest/globals';
import { addTo, credits, ledgerSummary, sameTotals, totalsFromJson, totalsToJson, type Tally } from './totals.js';

describe('control totals', () => {
  const totals = new Map<string, Tally>();
  addTo(totals, 'grant_welcome_bonus', 1_000_000_000n);
  addTo(totals, 'consume_tool_execute', -3_000_001n);
  addTo(totals, 'consume_tool_search', -250_000n);
  addTo(totals, 'consume_tool_search', -250_000n);

  it('are the members of the ledger summary, and of each type, all in credits', () => {
    expect(ledgerSummary(totals)).toEqual({
      total_entries: 4,
      consume_count: 3,
      grant_count: 1,
      consumed_credits: '3.500001',
      granted_credits: '1000',
      net_amount_credits: '996.499999',
      entry_types: {
        consume_tool_execute: { count: 1, amount_credits: '-3.000001' },
        consume_tool_search: { count: 2, amount_credits: '-0.5' },
        grant_welcome_bonus: { count: 1, amount_credits: '1000' },
      },
    });
  });

  it('stay exact on disk, above what a JSON number holds', () => {
    addTo(totals, 'grant_payment_recharge', 2n ** 62n);
    const back = totalsFromJson(totalsToJson(totals));
    expect(sameTotals(back, totals)).toBe(true);
    addTo(back, 'grant_payment_recharge', 1n);
    expect(sameTotals(back, totals)).toBe(false);
  });

  it.each([
    [0n, '0'],
    [1n, '0.000001'],
    [-1n, '-0.000001'],
    [1_000_000n, '1'],
    [-1_500_000n, '-1.5'],
    [9_000_000_000_000_000n, '9000000000'],
  ])('write %s micro-credits as %s', (micro, text) => {
    expect(credits(micro)).toBe(text);
  });
});
