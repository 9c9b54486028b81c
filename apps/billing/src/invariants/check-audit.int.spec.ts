import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import {
  creditsFromMicro,
  ManualClock,
  newAccountId,
  newExecutionId,
  type ExecutionId,
} from '@capability-router/kernel';
import { applyAccountEvents } from '../grants/account-events.js';
import { placeHold } from '../holds/place-hold.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { accountOpened, terminalEvent } from '../test-support/events.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { projectUsage } from '../usage-audit/project-usage.js';
import { checkAudit } from './check-audit.js';
import { checkInvariants } from './check-invariants.js';

const NOW = 1_763_700_000_000;

describe('the checks of the audit', () => {
  let database: ScratchDatabase;
  let executionId: ExecutionId;
  beforeAll(async () => {
    database = await createScratchDatabase();
    const clock = new ManualClock(NOW);
    const accountId = newAccountId(NOW);
    executionId = newExecutionId(NOW);
    const now = new Date(NOW);
    const amount = creditsFromMicro(1_000_000n);
    const run = { executionId, accountId, success: true, bill: amount, nowMs: NOW };
    const event = terminalEvent({ ...run, type: 'ExecutionCompleted' });
    await inTransaction(database.pool, (tx) => applyAccountEvents(tx, [accountOpened(accountId, amount, NOW)], clock));
    await placeHold(database.pool, {
      billableId: executionId,
      accountId,
      amount,
      inquireAfter: now,
      now,
    });
    await inTransaction(database.pool, (tx) => settleExecutions(tx, [event], clock));
    await untilReadable(database.pool);
    const { events } = await readAfter(database.pool, '', 10, [topicNames.usageSettlements]);
    await inTransaction(database.pool, (tx) => projectUsage(tx, [event, ...events]));
  });
  afterAll(() => database.drop());

  it('find nothing in a sound one', async () => {
    expect(await checkAudit(database.pool)).toEqual([]);
    expect(await checkInvariants(database.pool)).toEqual([]);
  });

  it.each([
    ['a row that is missing', 'DELETE FROM usage_events', 'exactly one audit row'],
    [
      'a row too many',
      'UPDATE usage_facts SET data = \'{"dispatched": false}\'',
      'none of one that was not dispatched',
    ],
    [
      'a row too many, by a fact of an older build',
      'UPDATE usage_facts SET data = \'{"httpStatusCode": 503}\'',
      'none of one that was not dispatched',
    ],
    ['a stub', 'UPDATE usage_events SET recorded = false', 'no settlement waits'],
    ['another amount', 'UPDATE usage_events SET settled_micro = 1', 'the audit row says what was settled'],
    ['a link that is missing', 'UPDATE usage_events SET ledger_entry_id = NULL', 'a ledger link exactly when'],
    ['a link to nothing', "UPDATE usage_events SET ledger_entry_id = 'led_none'", 'the linked entry'],
    [
      'an inspection with the charge of the search that it names',
      `INSERT INTO usage_events (id, account_id, effective_at, recorded, event_type, source_ref_id, requested_micro, settled_micro,
         ledger_entry_id, settlement_status, settled_at)
       SELECT gen_random_uuid(), account_id, effective_at, true, 'search_by_ids', 'srch_1', 0, settled_micro, ledger_entry_id,
              settlement_status, settled_at FROM usage_events`,
      'an inspection has no settlement',
    ],
    ['a link without an amount', 'UPDATE usage_events SET settled_micro = 0', 'a ledger link exactly when'],
  ])('find %s', async (_what, damage, invariant) => {
    expect(await named(damage, checkAudit)).toContainEqual(expect.stringContaining(invariant));
  });

  it.each([
    ['has ended and is open', "UPDATE holds SET state = 'open', captured_micro = 0"],
    ['was released and charged', "UPDATE holds SET state = 'released', captured_micro = 0"],
    ['was captured and never ended', 'UPDATE holds SET ended_at = NULL'],
  ])('find a hold that %s', async (_what, damage) => {
    expect(await named(damage, checkInvariants)).toContain('a hold ends once, as its settlement says');
  });

  /** The invariants that `damage` breaks. What it changed is put back. */
  async function named(damage: string, check: typeof checkAudit): Promise<string[]> {
    const tables = ['usage_events', 'usage_facts', 'holds'];
    for (const table of tables) await database.owner.query(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
    try {
      await database.owner.query(damage);
      return (await check(database.pool)).map((violation) => violation.invariant);
    } finally {
      for (const table of tables) {
        const { rows } = await database.pool.query<{ names: string }>(
          `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
            WHERE table_name = $1 AND is_generated = 'NEVER'`,
          [table],
        );
        const names = rows[0]?.names ?? '';
        await database.owner.query(`DELETE FROM ${table}`);
        await database.owner.query(`INSERT INTO ${table} (${names}) SELECT ${names} FROM kept_${table}`);
        await database.owner.query(`DROP TABLE kept_${table}`);
      }
    }
  }
});
