import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import { creditsFromMicro, ManualClock, newAccountId, toIso, type JsonObject } from '@capability-router/kernel';
import { checkAudit } from '../invariants/check-audit.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { unreadyAccounts } from '../test-support/unready-accounts.js';
import { compareLedger, isReady } from '../readiness/compare-ledger.sql.js';
import { refundCharge } from '../refunds/refund-charge.js';
import { digestTables } from '../test-support/digest-tables.js';
import { MoneyAccount } from '../test-support/money-account.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { projectUsage } from '../usage-audit/project-usage.js';
import type { ImportResult } from './domain/import-result.js';
import { importModelCalls } from './import-model-calls.js';
import type { ModelCall } from './domain/model-call.js';
import { readModelCall } from './read-model-call.js';

const NOW = Date.UTC(2026, 4, 1, 12);

describe('the import of model calls', () => {
  let database: ScratchDatabase;
  const clock = new ManualClock(NOW);
  let account: MoneyAccount;
  beforeAll(async () => {
    database = await createScratchDatabase(20);
    account = await MoneyAccount.open(database.pool, clock, 10_000_000n);
  });
  afterAll(() => database.drop());
  afterEach(async () => {
    expect(await checkInvariants(database.pool)).toEqual([]);
    expect(await unreadyAccounts(database.pool)).toEqual({});
  });

  const row = (importId: string, over: JsonObject = {}): JsonObject => ({
    import_id: importId,
    account_id: account.accountId,
    model: 'large-1',
    occurred_at: toIso(NOW - 60_000),
    amount_credits: 1.5,
    input_tokens: 900,
    output_tokens: 100,
    ...over,
  });
  function callOf(value: JsonObject): ModelCall {
    const read = readModelCall(value, NOW);
    if (!('call' in read)) throw new Error(JSON.stringify(read.detail));
    return read.call;
  }
  const send = (...rows: JsonObject[]): Promise<ImportResult[]> =>
    importModelCalls(database.pool, rows.map(callOf), clock);
  const statuses = (results: readonly ImportResult[]): string[] => results.map(({ status }) => status);

  it.each([
    ['2026-05-01T10:00:00.123456+00:00', Date.UTC(2026, 4, 1, 10, 0, 0, 123)],
    ['2026-05-01T10:00:00.123456789+02:00', Date.UTC(2026, 4, 1, 8, 0, 0, 123)],
    ['2026-05-01T10:00Z', Date.UTC(2026, 4, 1, 10)],
  ])('reads the time %s as other languages write it', (text, occurredMs) => {
    expect(callOf(row('time', { occurred_at: text })).occurredMs).toBe(occurredMs);
  });

  it('leaves the ledger complete for a range that begins after the import, where its clock is ahead', async () => {
    const { accountId } = await MoneyAccount.open(database.pool, clock, 10_000_000n);
    await send(row('ahead', { account_id: accountId, occurred_at: toIso(NOW + 290_000) }));
    const window = { from: new Date(NOW + 280_000), before: new Date(NOW + 300_000) };
    const compared = await compareLedger(database.pool, accountId, window);
    expect(compared.filter((entity) => !isReady(entity))).toEqual([]);
    expect(compared.find(({ entityType }) => entityType === 'consume_model_call')?.ledgerCount).toBe(1n);
  });

  it('charges each once, and tells the audit and finance of it', async () => {
    const before = await account.balance();
    const [paid, free] = await send(row('a'), row('b', { amount_credits: 0, success: false, session_id: 'task' }));
    expect([paid?.status, free?.status]).toEqual(['imported', 'imported']);
    expect(await account.balance()).toEqual({ balance: before.balance - 1_500_000, held: 0 });
    expect((await account.entries()).at(-1)).toEqual(['consume_model_call', -1_500_000]);
    await untilReadable(database.pool);
    const { events } = await readAfter(database.pool, '', 1_000, [
      topicNames.usageRecords,
      topicNames.usageSettlements,
    ]);
    await inTransaction(database.pool, (tx) => projectUsage(tx, [...events].reverse()));
    await inTransaction(database.pool, (tx) => projectUsage(tx, events));
    expect(await checkAudit(database.pool)).toEqual([]);
    const { rows } = await database.pool.query<Record<string, unknown>>(
      `SELECT event_type, source_system, source_ref_type, model, charge_outcome, settlement_status, effective_micro::int AS amount
         FROM usage_events WHERE account_id = $1 ORDER BY effective_micro`,
      [account.accountId],
    );
    const source = { source_system: 'admin', source_ref_type: 'import' };
    const common = { event_type: 'model_call', ...source, model: 'large-1' };
    expect(rows).toEqual([
      { ...common, charge_outcome: 'failed_not_charged', settlement_status: 'not_applicable', amount: 0 },
      { ...common, charge_outcome: 'charged', settlement_status: 'settled', amount: 1_500_000 },
    ]);
    // The ledger says of the charge that it came from where the audit says.
    const { rows: charges } = await database.pool.query(
      'SELECT source_system, source_ref_type FROM ledger_entries WHERE source_ref_id = $1',
      [paid?.status === 'imported' ? paid.importRef : undefined],
    );
    expect(charges).toEqual([source]);
  });

  it('knows a call again, within one import and when it is sent again, also by ten at once', async () => {
    expect(statuses(await send(row('c'), row('c'), row('c', { model: 'other' })))).toEqual([
      'imported',
      'duplicate',
      'conflict',
    ]);
    const before = await digestTables(database.pool);
    expect(statuses(await send(row('c'), row('c', { amount_credits: 1 })))).toEqual(['duplicate', 'conflict']);
    expect(await digestTables(database.pool)).toEqual(before);
    const raced = await Promise.all(Array.from({ length: 10 }, () => send(row('d'), row('e'))));
    expect(raced.flat().filter(({ status }) => status === 'imported')).toHaveLength(2);
    expect(raced.flat().filter(({ status }) => status === 'duplicate')).toHaveLength(18);
  });

  it('refuses what the account cannot pay, or does not have, and takes the other rows', async () => {
    const short = await MoneyAccount.open(database.pool, clock, 2_000_000n);
    await short.hold(1_000_000n);
    const mine = { account_id: short.accountId };
    const results = await send(
      row('f', mine),
      row('g', { ...mine, amount_credits: 1 }),
      row('h', { ...mine, amount_credits: 0.5 }),
      row('i', { account_id: newAccountId(NOW) }),
      row('j', { api_key_id: crypto.randomUUID() }),
    );
    const told = results.map((result) => ('code' in result ? result.code : result.status));
    expect(told).toEqual([
      'insufficient_credits',
      'imported',
      'insufficient_credits',
      'unknown_account',
      'unknown_api_key',
    ]);
    await short.grant(5_000_000n);
    expect(statuses(await send(row('f', mine)))).toEqual(['imported']);
  });

  it('takes nothing that calls hold, however many are placed meanwhile', async () => {
    const busy = await MoneyAccount.open(database.pool, clock, 10_000_000n);
    const rows = Array.from({ length: 10 }, (_, n) =>
      row(`busy-${n}`, { account_id: busy.accountId, amount_credits: 1 }),
    );
    const holds = Array.from({ length: 10 }, () => busy.hold(1_000_000n));
    const [results] = await Promise.all([Promise.all(rows.map((one) => send(one))), ...holds]);
    const imported = results.flat().filter(({ status }) => status === 'imported').length;
    const placed = (await Promise.all(holds)).filter(({ status }) => status === 'held').length;
    expect(await busy.balance()).toEqual({ balance: (10 - imported) * 1e6, held: placed * 1e6 });
    // A call of an account with credits for ten is refused only where others took them.
    expect(imported + placed).toBeLessThanOrEqual(10);
    expect(imported + placed).toBeGreaterThan(0);
  });

  it('can be refunded like any charge', async () => {
    const [result] = await send(row('k'));
    if (result?.status !== 'imported') throw new Error('the row was not imported');
    const { importRef, usageEventId } = result;
    const { accountId } = account;
    const amount = creditsFromMicro(500_000n);
    for (const id of [importRef, usageEventId]) {
      const refunded = await account.command('refund', (tx, at) => refundCharge(tx, { accountId, of: id, amount }, at));
      expect(refunded).toMatchObject({ charge_ref_id: importRef });
    }
    await account.command('refund', (tx, at) => refundCharge(tx, { accountId, of: importRef }, at));
    await untilReadable(database.pool);
    const { events } = await readAfter(database.pool, '', 1_000, [topicNames.usageRecords]);
    expect(events.at(-1)?.data).toMatchObject({ usageEventId, refundedMicroCredits: '1500000' });
  });

  it.each([
    ['a call that failed and costs something', { success: false }, 'amount_credits'],
    ['a time without an offset', { occurred_at: '2026-05-01T12:00:00' }, 'occurred_at'],
    ['a time to come', { occurred_at: toIso(NOW + 3_600_000) }, 'occurred_at'],
    ['a time of closed books', { occurred_at: '2024-01-01T00:00:00Z' }, 'occurred_at'],
    ['too many decimals', { amount_credits: 0.0000001 }, 'amount_credits'],
    ['a negative amount', { amount_credits: -1 }, 'amount_credits'],
    ['an amount that is text', { amount_credits: '1' }, 'amount_credits'],
    ['an unknown field', { surprise: 1 }, 'surprise'],
    ['an account that is none', { account_id: 'acc_1' }, 'account_id'],
    ['a line break in the model', { model: 'a\nb' }, 'model'],
    ['an unknown reason', { reason_code: 'because' }, 'reason_code'],
    ['no id', { import_id: '' }, 'import_id'],
  ])('names the field at fault of a row with %s', (_what, over, field) => {
    const read = readModelCall(row('x', over), NOW);
    expect('detail' in read ? read.detail.map(({ loc }) => loc.at(-1)) : []).toContain(field);
  });
});
