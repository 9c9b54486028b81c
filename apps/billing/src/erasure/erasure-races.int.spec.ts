/** @postgres-versions Who waits for which lock is up to the server. */
import type { EventEnvelope } from '@capability-router/contracts';
import { creditsFromMicro, ManualClock, toIso, uuidv7, type JsonObject } from '@capability-router/kernel';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { correctAccount } from '../corrections/correct-account.js';
import { grantToAccount } from '../grants/grant-to-account.js';
import { importModelCalls } from '../imports/import-model-calls.js';
import { readModelCall } from '../imports/read-model-call.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { accountOpened } from '../test-support/events.js';
import { MoneyAccount } from '../test-support/money-account.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { noteErasures } from './note-erasures.js';

const NOW = Date.UTC(2026, 4, 1, 12);
const AMOUNT = creditsFromMicro(5n);

describe('an erasure that comes together with a command', () => {
  const clock = new ManualClock(NOW);
  let database: ScratchDatabase;
  let account: MoneyAccount;
  beforeAll(async () => {
    database = await createScratchDatabase(10);
  });
  afterAll(() => database.drop());
  afterEach(async () => expect(await checkInvariants(database.pool)).toEqual([]));

  const erased = (): EventEnvelope => ({
    ...accountOpened(account.accountId, 0n, NOW),
    id: uuidv7(NOW),
    type: 'AccountErased',
    data: { accountId: account.accountId, erasedAt: toIso(NOW) },
  });
  const note = (tx: pg.PoolClient): Promise<void> => noteErasures(tx, [erased()], clock);
  async function untilOneWaits(): Promise<void> {
    for (;;) {
      const { rows } = await database.pool.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (rows[0]?.waiting === 1) return;
    }
  }
  /** `first` is committed when `second` waits for it. */
  async function overlap<T>(first: (tx: pg.PoolClient) => Promise<unknown>, second: () => Promise<T>): Promise<T> {
    let waiting: Promise<T> | undefined;
    await inTransaction(database.pool, async (tx) => {
      await first(tx);
      waiting = second();
      waiting.catch(() => undefined);
      await untilOneWaits();
    });
    if (waiting === undefined) throw new Error('nothing was begun');
    return waiting;
  }
  const grant = (tx: pg.PoolClient): Promise<JsonObject> =>
    grantToAccount(tx, { accountId: account.accountId, category: 'purchased', amount: AMOUNT, expiresAt: null }, clock);
  const importOne = async (): Promise<unknown> => {
    const read = readModelCall(
      {
        import_id: 'one',
        account_id: account.accountId,
        model: 'large-1',
        occurred_at: toIso(NOW),
        amount_credits: 0.000001,
      },
      NOW,
    );
    if (!('call' in read)) throw new Error('the call is invalid');
    const [result] = await importModelCalls(database.pool, [read.call], clock);
    return result;
  };

  it('and is noted first leaves nothing of a grant, of a correction that gives anew, and of an import', async () => {
    account = await MoneyAccount.open(database.pool, clock, 100n);
    await expect(overlap(note, () => inTransaction(database.pool, grant))).rejects.toThrow('was erased');
    account = await MoneyAccount.open(database.pool, clock, 100n);
    const correction = { accountId: account.accountId, amount: AMOUNT, category: 'purchased' as const };
    await expect(
      overlap(note, () => inTransaction(database.pool, (tx) => correctAccount(tx, correction, clock))),
    ).rejects.toThrow('was erased');
    account = await MoneyAccount.open(database.pool, clock, 100n);
    expect(await overlap(note, importOne)).toMatchObject({ status: 'rejected', code: 'account_erased' });
    expect(await account.balance()).toEqual({ balance: 100, held: 0 });
  });

  it('and comes second waits until the grant is booked', async () => {
    account = await MoneyAccount.open(database.pool, clock, 100n);
    await overlap(grant, () => inTransaction(database.pool, note));
    expect(await account.balance()).toEqual({ balance: 105, held: 0 });
    await expect(inTransaction(database.pool, grant)).rejects.toThrow('was erased');
  });

  it('of an account of which billing has not heard is noted, and leaves no books', async () => {
    const unknown = await MoneyAccount.open(database.pool, clock);
    await database.pool.query('DELETE FROM account_balances WHERE account_id = $1', [unknown.accountId]);
    await database.pool.query('DELETE FROM ledger_heads WHERE account_id = $1', [unknown.accountId]);
    account = unknown;
    await inTransaction(database.pool, note);
    const { rowCount } = await database.pool.query('SELECT FROM ledger_heads WHERE account_id = $1', [
      unknown.accountId,
    ]);
    expect(rowCount).toBe(0);
  });
});
