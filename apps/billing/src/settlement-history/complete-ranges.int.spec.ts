import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountId } from '@capability-router/kernel';
import type pg from 'pg';
import { BillingReads, START } from '../test-support/billing-reads.js';
import { CompleteRanges } from './complete-ranges.js';

const MINUTE_MS = 60_000;
const CALLS = 7;
const before = new Date(START + CALLS * MINUTE_MS);

describe('a long history', () => {
  let billing: BillingReads;
  let account: AccountId;
  beforeAll(async () => {
    billing = await BillingReads.start();
  });
  afterAll(() => billing.stop());

  /** A grant and calls, a minute apart. */
  const history = async (): Promise<string[]> => {
    account = await billing.account();
    return billing.calls(
      account,
      Array.from({ length: CALLS }, (_, index) => ({ micro: 5n, atMs: START + index * MINUTE_MS + 1 })),
    );
  };
  /** Ranges in slices of two entries, and how often they compared. */
  const ranges = (budgetMs: number) => {
    const compared = { times: 0 };
    const pool = {
      connect: () => billing.pool.connect(),
      query: (text: string, values: unknown[]) => {
        compared.times += 1;
        return billing.pool.query(text, values);
      },
    } as unknown as pg.Pool;
    const complete = new CompleteRanges(pool, billing.clock);
    const bounds = { sliceEntries: 2, budgetMs };
    const check = (window: { readonly from?: Date; readonly before: Date }) => complete.check(account, window, bounds);
    return { compared, check };
  };

  it('is compared in slices, once', async () => {
    await history();
    const { compared, check } = ranges(60_000);
    expect(await check({ before })).toBe('complete');
    expect(compared.times).toBe(4);
    expect(await check({ before })).toBe('complete');
    expect(compared.times).toBe(4);
  });

  it.each([
    ['from its beginning', {}],
    ['from a date', { from: new Date(START - 1) }],
  ])('%s goes on with each request where the last one had no more time', async (_what, dates) => {
    await history();
    const { compared, check } = ranges(0);
    const answers: string[] = [];
    while (answers.at(-1) !== 'complete' && answers.length < 20) {
      answers.push(await check({ ...dates, before }));
    }
    expect(answers).toContain('unfinished');
    expect(answers.at(-1)).toBe('complete');
    // Not a slice was compared twice.
    expect(compared.times).toBe(4);
  });

  it('is incomplete where any slice is, however often it is asked for', async () => {
    const ids = await history();
    await billing.owner.query('DELETE FROM settlements WHERE source_ref_id = $1', [ids[4]]);
    const { check } = ranges(60_000);
    expect(await check({ before })).toBe('incomplete');
    expect(await check({ before })).toBe('incomplete');
    expect(await check({ before: new Date(START + 2 * MINUTE_MS) })).toBe('complete');
  });
});
