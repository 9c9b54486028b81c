/** @postgres-versions Reads in order depend on the plan. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountId } from '@capability-router/kernel';
import { BillingReads, START, type ReadAnswer } from '../test-support/billing-reads.js';

/** Milliseconds: far more than a list of two rows takes on a slow machine. */
const PAGE_TIMEOUT_MS = 3_000;
/** Lists with `page` and `total`: their table, and the feed that reads the same rows by cursor. */
const lists = [
  ['/auth/usage/history/v2', 'usage_events', '/auth/usage/history/v2/summary'],
  ['/auth/credits/ledger', 'ledger_entries', '/auth/account/settlement-history'],
] as const;

describe('a list whose rows cannot be counted in time', () => {
  let billing: BillingReads;
  let account: AccountId;
  beforeAll(async () => {
    billing = await BillingReads.start(PAGE_TIMEOUT_MS);
    account = await billing.account();
    await billing.calls(account, [{ micro: 1_500_000n, atMs: START + 1 }]);
    billing.setTime(START + 60_000);
  });
  afterAll(() => billing.stop());

  /** Whoever reads the table waits, as over a history that is too long, until `work` is done. */
  async function whileReadsWait<T>(table: string, work: () => Promise<T>): Promise<T> {
    const blocker = await billing.owner.connect();
    try {
      await blocker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      return await work();
    } finally {
      await blocker.query('ROLLBACK');
      blocker.release();
    }
  }

  it.each(lists)(
    '%s is a 503 that names the feed and when to ask again, and is whole again afterwards',
    async (path, table, feed) => {
      const list = (): Promise<ReadAnswer> => billing.get(account, `${path}?page=1&page_size=10`);
      const sound = await list();
      expect([sound.status, sound.data['total']]).toEqual([200, path.includes('ledger') ? 2 : 1]);
      const startedMs = performance.now();
      const late = await whileReadsWait(table, list);
      // It was given up for its time, and not before.
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(PAGE_TIMEOUT_MS);
      expect(late.status).toBe(503);
      expect(late.json['message']).toEqual(expect.stringContaining(`GET ${feed}`));
      expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
      expect(late.text).not.toMatch(/statement timeout|SELECT/i);
      expect((await list()).data).toEqual(sound.data);
      expect((await billing.get(account, feed)).status).toBe(200);
    },
  );
});
