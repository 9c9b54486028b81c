import { ManualClock, parseCredits } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeAccountState, type StateAction } from '../account-states/change-account-state.js';
import { verifyCredential } from '../api-keys/verify-credential.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { ensureDemoAccounts, type DemoKeys } from './ensure-demo-accounts.js';

const clock = new ManualClock(Date.UTC(2026, 0, 15));
const config = { demoCredits: parseCredits('1000') };

describe('the accounts of a first start', () => {
  let database: ScratchDatabase;
  let keys: DemoKeys;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const verify = (key: string) =>
    verifyCredential(database.pool, key, { maxCallCredits: parseCredits('5') }, clock.nowMs());

  it('are created once, also by replicas that start together', async () => {
    const results = await Promise.all(
      Array.from({ length: 4 }, () => ensureDemoAccounts(database.pool, clock, config)),
    );
    const created = results.filter((result) => result !== undefined);
    expect(created).toHaveLength(1);
    if (created[0] === undefined) throw new Error('nobody created them');
    keys = created[0];
    expect(await ensureDemoAccounts(database.pool, clock, config)).toBeUndefined();
  });

  it('are two, so that the demo key administers nothing and the admin key has no credits', async () => {
    const [demo, admin] = [await verify(keys.apiKey), await verify(keys.adminKey)];
    expect(demo).toMatchObject({
      valid: true,
      assertion: { accountId: keys.accountId, accountKind: 'formal', scopes: ['call', 'read', 'manage'] },
    });
    expect(admin).toMatchObject({ valid: true, assertion: { scopes: ['admin'] } });
    const { rows } = await database.pool.query<{ grant: string }>(
      `SELECT data->>'initialGrantMicroCredits' AS grant FROM events WHERE type = 'AccountOpened' ORDER BY position`,
    );
    expect(rows.map((row) => row.grant)).toEqual(['1000000000', '0']);
  });

  it('get new keys on demand, and the lost ones stop working', async () => {
    const renewed = await ensureDemoAccounts(database.pool, clock, config, { reissue: true });
    if (renewed === undefined) throw new Error('no keys were issued');
    expect(await verify(keys.apiKey)).toEqual({ valid: false });
    expect(await verify(keys.adminKey)).toEqual({ valid: false });
    expect(await verify(renewed.apiKey)).toMatchObject({ valid: true });
    expect(await verify(renewed.adminKey)).toMatchObject({ valid: true });
  });

  it.each<StateAction>(['suspend', 'close'])(
    'are replaced on demand where somebody chose to %s one',
    async (action) => {
      const reissued = async (): Promise<DemoKeys> => {
        const renewed = await ensureDemoAccounts(database.pool, clock, config, { reissue: true });
        if (renewed === undefined) throw new Error('no keys were issued');
        return renewed;
      };
      const set = (accountId: string, to: StateAction) =>
        inTransaction(database.pool, (tx) =>
          changeAccountState(tx, { accountId, action: to, changedBy: 'acc_operator', nowMs: clock.nowMs() }),
        );
      const before = await reissued();
      await set(before.accountId, action);
      const after = await reissued();
      expect(after.accountId).not.toBe(before.accountId);
      expect(await verify(after.apiKey)).toMatchObject({ valid: true });
      // The old key stays good for nothing, also once the account is resumed.
      await set(before.accountId, 'resume');
      expect(await verify(before.apiKey)).toEqual({ valid: false });
    },
  );
});
