import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock, toIso, type Credits } from '@capability-router/kernel';
import type pg from 'pg';
import { correctAccount } from '../../corrections/correct-account.js';
import { expireGrants } from '../../expiry/expire-grants.js';
import { importModelCalls } from '../../imports/import-model-calls.js';
import { readModelCall } from '../../imports/read-model-call.js';
import { refundCharge } from '../../refunds/refund-charge.js';
import { refundPayment } from '../../refunds/refund-payment.js';
import { MoneyAccount } from '../../test-support/money-account.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { untilItWaits } from '../../test-support/until-it-waits.js';
import { lockHeads } from './heads.sql.js';
import { Posting } from './posting.js';

const NOW = 1_763_700_000_000;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

interface Stage {
  readonly pool: pg.Pool;
  readonly clock: ManualClock;
  readonly account: MoneyAccount;
}
type Act = (stage: Stage) => Promise<unknown>;

/** Prepares an account, and gives what is booked while another posting has it. */
const acts: Readonly<Record<string, (stage: Stage) => Promise<Act>>> = {
  'a grant': () => Promise.resolve(({ account }) => account.grant(5n)),
  'a refund of a charge': async (stage) => {
    const of = await stage.account.call(7n);
    return ({ account: { accountId }, account }) =>
      account.command('refund', (tx, at) => refundCharge(tx, { accountId, of }, at));
  },
  'a refund of a payment': async (stage) => {
    const grantId = await stage.account.grant(9n);
    return ({ account: { accountId }, account }) =>
      account.command('payment_refund', (tx, at) => refundPayment(tx, { accountId, grantId }, at));
  },
  'a correction': () =>
    Promise.resolve(({ account: { accountId }, account }) =>
      account.command('correction', (tx, at) => correctAccount(tx, { accountId, amount: -3n as Credits }, at)),
    ),
  'the expiry of a grant': async ({ account, clock }) => {
    await account.grant(11n, { expiresAt: toIso(NOW + HOUR_MS) });
    clock.advanceMs(HOUR_MS);
    return (stage) => expireGrants(stage.pool, stage.clock);
  },
  'an imported call': ({ account: { accountId } }) => {
    const call = { account_id: accountId, model: 'm', occurred_at: toIso(NOW), amount_credits: 0.000002 };
    const read = readModelCall({ ...call, import_id: 'one' }, NOW);
    if (!('call' in read)) throw new Error(JSON.stringify(read.detail));
    return Promise.resolve(({ pool, clock }) => importModelCalls(pool, [read.call], clock));
  },
};

describe('the times along a chain', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase(10);
  });
  afterAll(() => database.drop());

  it.each(Object.entries(acts))('never fall back where %s waits for another posting', async (_name, prepare) => {
    const clock = new ManualClock(NOW);
    const account = await MoneyAccount.open(database.pool, clock, 1_000n);
    const { accountId } = account;
    const stage = { pool: database.pool, clock, account };
    const act = await prepare(stage);
    const before = (await account.entries()).length;
    let waiting: Promise<unknown> = Promise.resolve();
    await inTransaction(database.pool, async (tx) => {
      await lockHeads(tx, [accountId]);
      waiting = act(stage);
      await untilItWaits(database.pool, waiting);
      clock.advanceMs(SECOND_MS);
      const posting = await Posting.open(tx, [accountId], clock);
      posting.grant(
        accountId,
        {
          entryType: 'grant_correction',
          sourceSystem: 'admin',
          sourceRefType: 'grant',
          sourceRefId: `first:${accountId}`,
          executionId: null,
          description: 'test',
          metadata: {},
          preSettlementBill: null,
          settlementResult: null,
          effectiveAt: toIso(posting.nowMs),
        },
        1n as Credits,
        { category: 'purchased', expiresAt: null, grantRef: `first:${accountId}` },
      );
      await posting.write();
    });
    await waiting;
    const { rows } = await database.pool.query<{ created_at: Date }>(
      'SELECT created_at FROM ledger_entries WHERE account_id = $1 ORDER BY entry_seq',
      [accountId],
    );
    const times = rows.map((row) => row.created_at.getTime());
    expect(times).toHaveLength(before + 2);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});
