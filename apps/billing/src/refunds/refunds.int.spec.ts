import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import {
  creditsFromMicro,
  ManualClock,
  newExecutionId,
  toIso,
  usageEventIdOf,
  type Credits,
  type ExecutionId,
  type JsonObject,
} from '@capability-router/kernel';
import { correctAccount } from '../corrections/correct-account.js';
import type { CorrectAccount } from '../corrections/domain/correction.js';
import { eraseAccounts } from '../erasure/erase-accounts.js';
import { expireGrants } from '../expiry/expire-grants.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { unreadyAccounts } from '../test-support/unready-accounts.js';
import { digestTables } from '../test-support/digest-tables.js';
import { MoneyAccount } from '../test-support/money-account.js';
import { publishedLedger } from '../test-support/published-lots.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { refundCharge } from './refund-charge.js';
import { refundPayment } from './refund-payment.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 4, 1, 12);

describe('what undoes entries', () => {
  let database: ScratchDatabase;
  let clock: ManualClock;
  beforeAll(async () => {
    database = await createScratchDatabase(20);
    clock = new ManualClock(NOW);
  });
  afterAll(() => database.drop());
  afterEach(async () => {
    expect(await checkInvariants(database.pool)).toEqual([]);
    expect(await unreadyAccounts(database.pool)).toEqual({});
  });

  const later = (hours: number): string => toIso(clock.nowMs() + hours * HOUR_MS);
  const refund = (account: MoneyAccount, of: string, amount?: bigint, key?: string): Promise<JsonObject> =>
    account.command(
      'refund',
      (tx, at) =>
        refundCharge(
          tx,
          { accountId: account.accountId, of, amount: amount === undefined ? undefined : creditsFromMicro(amount) },
          at,
        ),
      key,
      { of, amount: String(amount) },
    );
  const payBack = (account: MoneyAccount, grantId: string, amount?: bigint): Promise<JsonObject> =>
    account.command('payment_refund', (tx, at) =>
      refundPayment(
        tx,
        { accountId: account.accountId, grantId, amount: amount === undefined ? undefined : creditsFromMicro(amount) },
        at,
      ),
    );
  const correct = (account: MoneyAccount, amount: bigint, more: Partial<CorrectAccount> = {}): Promise<JsonObject> =>
    account.command('correction', (tx, at) =>
      correctAccount(tx, { accountId: account.accountId, amount: amount as Credits, ...more }, at),
    );
  async function expectRefused(command: () => Promise<unknown>, message: RegExp): Promise<void> {
    const before = await digestTables(database.pool);
    await expect(command()).rejects.toThrow(message);
    expect(await digestTables(database.pool)).toEqual(before);
  }

  /** Lots of 2, 3 and 10, in burn order, and a charge of 7 over all of them. */
  async function charged(): Promise<{ account: MoneyAccount; executionId: ExecutionId }> {
    const account = await MoneyAccount.open(database.pool, clock);
    await account.grant(10n);
    await account.grant(3n, { expiresAt: later(10) });
    await account.grant(2n, { expiresAt: later(5), category: 'invite_reward' });
    const executionId = await account.call(7n);
    expect(await account.lots()).toEqual([0, 0, 8]);
    return { account, executionId };
  }

  it('gives back a charge in the reverse of the order in which it was burned', async () => {
    const { account, executionId } = await charged();
    await refund(account, executionId, 1n);
    expect(await account.lots()).toEqual([0, 0, 9]);
    await refund(account, executionId, 3n);
    expect(await account.lots()).toEqual([0, 2, 10]);
    const answer = await refund(account, executionId);
    expect(answer).toMatchObject({ execution_id: executionId, amount_credits: 3e-6, refunded_credits: 7e-6 });
    expect(await account.lots()).toEqual([2, 3, 10]);
    expect((await account.entries()).slice(-3)).toEqual([
      ['grant_charge_refund', 1],
      ['grant_charge_refund', 3],
      ['grant_charge_refund', 3],
    ]);
  });

  it('counts a charge and its refund for the project of the call, and nothing else', async () => {
    const account = await MoneyAccount.open(database.pool, clock);
    await account.grant(10n);
    const projectId = randomUUID();
    await refund(account, await account.call(3n, { projectId }), 1n);
    await account.call(2n);
    await untilReadable(database.pool);
    const published = (await publishedLedger(database.pool)).filter((entry) => entry.accountId === account.accountId);
    const counted = published.map((entry) => [entry.entryType, entry.projectId, entry.metadata['project_id']]);
    expect(counted).toEqual([
      ['grant_payment_recharge', undefined, undefined],
      ['consume_tool_execute', projectId, projectId],
      ['grant_charge_refund', projectId, projectId],
      ['consume_tool_execute', undefined, undefined],
    ]);
  });

  it('refuses what passes the charge, and changes nothing then', async () => {
    const { account, executionId } = await charged();
    await refund(account, executionId, 6n);
    await expectRefused(() => refund(account, executionId, 2n), /0\.000001 of 0\.000007/);
    await refund(account, executionId, 1n);
    await expectRefused(() => refund(account, executionId), /refunded before/);
  });

  it('refunds a charge once when two administrators do so at the same moment', async () => {
    const { account, executionId } = await charged();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => refund(account, executionId)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await account.lots()).toEqual([2, 3, 10]);
  });

  it('answers one key alike however often it comes at once, and refuses it for another command', async () => {
    const { account, executionId } = await charged();
    const key = `refund of ${executionId}`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => refund(account, executionId, 2n, key)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await account.lots()).toEqual([0, 0, 10]);
    await expectRefused(() => refund(account, executionId, 3n, key), /another command/);
  });

  it('does not bind a key to a command that was refused', async () => {
    const { account, executionId } = await charged();
    const key = `too much of ${executionId}`;
    await expect(refund(account, executionId, 8n, key)).rejects.toThrow();
    expect(await refund(account, executionId, 7n, key)).toMatchObject({ refunded_credits: 7e-6 });
  });

  it('knows no charge of another account, none that is a grant, and none that was not made', async () => {
    const { account, executionId } = await charged();
    const other = await MoneyAccount.open(database.pool, clock, 5n);
    const grantId = await other.grant(1n);
    await expectRefused(() => refund(other, executionId), /no charge/);
    await expectRefused(() => refund(other, grantId), /not a charge/);
    const { executionId: failed } = await account.hold(1n);
    await account.end(failed);
    await expectRefused(() => refund(account, failed), /was not charged/);
  });

  it('finds a charge by the id of the call, of its usage event, and of its entry, in its own account only', async () => {
    const { account, executionId } = await charged();
    const usageEventId = usageEventIdOf(executionId);
    const first = await refund(account, executionId, 1n);
    const charge = first['charge_entry_id'] as string;
    expect(first).toMatchObject({ charge_ref_id: executionId, execution_id: executionId });
    for (const id of [usageEventId, usageEventId.toUpperCase(), charge]) {
      expect(await refund(account, id, 1n)).toMatchObject({ charge_entry_id: charge, charge_ref_id: executionId });
    }
    const other = await MoneyAccount.open(database.pool, clock, 5n);
    for (const id of [usageEventId, charge]) await expectRefused(() => refund(other, id), /no charge of/);
    await expectRefused(() => refund(account, usageEventIdOf(newExecutionId(NOW))), /no charge of/);
  });

  it('lets what goes back to an expired lot lapse with it', async () => {
    const { account, executionId } = await charged();
    clock.advanceMs(6 * HOUR_MS);
    await refund(account, executionId);
    expect(await account.lots()).toEqual([2, 3, 10]);
    await expireGrants(database.pool, clock);
    expect(await account.lots()).toEqual([0, 3, 10]);
  });

  it('tells the audit the sum of the refunds', async () => {
    const { account, executionId } = await charged();
    await refund(account, executionId, 2n);
    await refund(account, executionId, 4n);
    await untilReadable(database.pool);
    const { events } = await readAfter(database.pool, '', 1_000, [topicNames.usageRecords]);
    const sums = events
      .filter((event) => event.partitionKey === account.accountId)
      .map(({ data }) => data['refundedMicroCredits']);
    expect(sums).toEqual(['2', '6']);
  });

  it('takes the credits of a returned payment from that top-up alone, and only what is left and not held', async () => {
    const account = await MoneyAccount.open(database.pool, clock, 20n);
    const topUp = await account.grant(10n, { expiresAt: later(2) });
    await account.call(4n);
    await expectRefused(() => payBack(account, topUp, 7n), /0\.000006 are left/);
    const { executionId } = await account.hold(22n);
    await expectRefused(() => payBack(account, topUp, 5n), /0\.000004 of the account/);
    await payBack(account, topUp, 4n);
    await account.end(executionId);
    await payBack(account, topUp);
    expect(await account.lots()).toEqual([0, 20]);
    expect((await account.entries()).filter(([type]) => type === 'consume_payment_refund')).toEqual([
      ['consume_payment_refund', -4],
      ['consume_payment_refund', -2],
    ]);
  });

  it('returns no payment of what nobody paid for', async () => {
    const account = await MoneyAccount.open(database.pool, clock);
    const gift = await account.grant(10n, { category: 'invite_reward' });
    await expectRefused(() => payBack(account, gift), /nobody paid/);
  });

  it('corrects: takes in burn order, gives into a lot of its own, undoes a grant and what took credits', async () => {
    const account = await MoneyAccount.open(database.pool, clock, 5n);
    const grantId = await account.grant(10n, { expiresAt: later(1) });
    const taken = await correct(account, -12n);
    expect(await account.lots()).toEqual([0, 3]);
    await correct(account, 11n, { entryId: taken['ledger_entry_id'] as string });
    expect(await account.lots()).toEqual([9, 5]);
    await expectRefused(
      () => correct(account, 2n, { entryId: taken['ledger_entry_id'] as string }),
      /0\.000001 credits/,
    );
    await correct(account, -9n, { entryId: grantId });
    expect(await account.lots()).toEqual([0, 5]);
    await correct(account, 1n, { category: 'purchased' });
    expect(await account.balance()).toEqual({ balance: 6, held: 0 });
    expect((await account.entries()).slice(2)).toEqual([
      ['consume_correction', -12],
      ['grant_correction', 11],
      ['consume_correction', -9],
      ['grant_correction', 1],
    ]);
  });

  it('corrects neither charges nor what has no opposite, nor by more than is available', async () => {
    const { account } = await charged();
    const { rows } = await database.pool.query<{ id: string }>(
      "SELECT entry_id AS id FROM ledger_entries WHERE account_id = $1 AND entry_type = 'consume_tool_execute'",
      [account.accountId],
    );
    await expectRefused(() => correct(account, 1n, { entryId: String(rows[0]?.id) }), /Refund it/);
    await expectRefused(() => correct(account, -9n), /has 0\.000008/);
    await account.hold(5n);
    await expectRefused(() => correct(account, -4n), /has 0\.000003/);
  });

  it('grants nothing to an erased account and forgets what was noted, but still puts its books right', async () => {
    const { account, executionId } = await charged();
    const notes = async (): Promise<unknown> =>
      (
        await database.pool.query<{ notes: number }>(
          'SELECT count(note)::int AS notes FROM admin_commands WHERE account_id = $1',
          [account.accountId],
        )
      ).rows[0]?.notes;
    expect(await notes()).toBe(3);
    await database.pool.query('INSERT INTO erased_accounts (account_id, erased_at, due_at) VALUES ($1, $2, $2)', [
      account.accountId,
      new Date(clock.nowMs()),
    ]);
    const race = await Promise.allSettled([eraseAccounts(database.pool, clock), refund(account, executionId, 2n)]);
    expect(race.map((one) => one.status)).toEqual(['fulfilled', 'fulfilled']);
    await expectRefused(() => account.grant(1n), /erased/);
    clock.advanceMs(7 * HOUR_MS);
    await eraseAccounts(database.pool, clock);
    expect(await notes()).toBe(0);
    await refund(account, executionId);
    expect(await account.lots()).toEqual([2, 3, 10]);
  });

  it('knows no account that was never opened', async () => {
    const ghost = await MoneyAccount.open(database.pool, clock);
    await database.pool.query('DELETE FROM account_balances WHERE account_id = $1', [ghost.accountId]);
    for (const command of [
      () => ghost.grant(1n),
      () => refund(ghost, `exec_${'0'.repeat(32)}`),
      () => correct(ghost, -1n),
    ]) {
      await expectRefused(command, /no such account/);
    }
  });
});
