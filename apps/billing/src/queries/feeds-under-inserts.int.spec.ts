/** @postgres-versions Reads in order depend on the plan. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountId } from '@capability-router/kernel';
import { BillingReads, START } from '../test-support/billing-reads.js';
import { SeededRandom, seedOfRun } from '../test-support/random.js';

const ROUNDS = 6;
const INITIAL = 40;

describe('cursor feeds while rows are written', () => {
  const seed = seedOfRun();
  let billing: BillingReads;
  beforeAll(async () => {
    billing = await BillingReads.start();
  });
  afterAll(() => billing.stop());

  const ids = (data: Readonly<Record<string, unknown>>): unknown[] =>
    (data['items'] as { id: unknown }[]).map(({ id }) => id);

  /** Also calls that ended long before others and are told of late, which stand in the middle of the list. */
  const write = (account: AccountId, random: SeededRandom, count: number) =>
    billing.calls(
      account,
      Array.from({ length: count }, () => ({
        micro: BigInt(random.integer(0, 1)) * 10n,
        atMs: START + 1 + random.integer(0, 10_000_000),
      })),
    );

  it.each(['/auth/usage/history/v2/summary', '/auth/account/settlement-history'])(
    `%s: the pages are the whole list as it was, each row once (TEST_SEED=${seed})`,
    async (path) => {
      const random = new SeededRandom(seed);
      for (let round = 0; round < ROUNDS; round += 1) {
        const account = await billing.account();
        await write(account, random, INITIAL);
        billing.setTime(START + 20_000_000);
        const whole = ids((await billing.get(account, `${path}?page_size=500`)).data);
        expect(whole.length).toBeGreaterThan(5);
        const pageSize = random.integer(1, 9);
        const seen: unknown[] = [];
        for (let cursor: string | undefined; ;) {
          const query = cursor === undefined ? '' : `&cursor=${cursor}`;
          const { data } = await billing.get(account, `${path}?page_size=${pageSize}${query}`);
          seen.push(...ids(data));
          cursor = data['next_cursor'] as string | undefined;
          if (cursor === undefined) break;
          if (random.next() < 0.4) await write(account, random, random.integer(1, 4));
        }
        expect({ round, seen }).toEqual({ round, seen: whole });
        billing.setTime(START + 20_000_000);
        const now = ids((await billing.get(account, `${path}?page_size=500`)).data);
        expect(now.slice(-whole.length)).toEqual(whole);
      }
    },
  );
});
