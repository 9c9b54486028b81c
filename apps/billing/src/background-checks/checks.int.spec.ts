import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newExecutionId, toIso, type Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { settleExecutions } from '../settlement/settle-executions.js';
import { terminalEvent } from '../test-support/events.js';
import { MoneyAccount } from '../test-support/money-account.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { GaugesTask } from '../gauges/gauges.task.js';
import { SettlementLag } from '../settlement/settlement-lag.js';
import { checkAccounts } from './check-accounts.js';
import { checkConservation } from './check-conservation.js';

let database: ScratchDatabase;
let pool: pg.Pool;
let nowMs = Date.now();
const clock: Clock = { nowMs: () => nowMs };
const logged: string[] = [];
const logger: Logger = pino({ level: 'error' }, { write: (line: string) => logged.push(line) });

beforeAll(async () => {
  database = await createScratchDatabase();
  ({ pool } = database);
});
afterAll(() => database.drop());

/** One value of a gauge of a fresh replica, which has run no check itself. */
async function shown(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number | undefined> {
  const registry = new Registry();
  await new GaugesTask(pool, clock, new SettlementLag(registry), registry).refresh();
  const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
  return values.find((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))?.value;
}

/** Behind the back of the service, as somebody with the owner's role may. */
async function tamper(sql: string, values: unknown[], work: () => Promise<void>, undo: string): Promise<void> {
  await database.owner.query(sql, values);
  try {
    await work();
  } finally {
    await database.owner.query(undo, values);
  }
}

const broken = (invariant: string): Promise<number | undefined> => shown('billing_invariant_violations', { invariant });

describe('conservation', () => {
  it('is the sum of all entries against balances, lots and holds, however much is written between rounds', async () => {
    const [a, b] = [await MoneyAccount.open(pool, clock, 5_000_000n), await MoneyAccount.open(pool, clock, 2_000_000n)];
    await a.call(1_500_000n);
    expect(await checkConservation(pool, clock)).toEqual({
      entries: '5500000',
      balances: '5500000',
      lots: '5500000',
      held: '0',
      openHolds: '0',
    });
    await b.hold(300_000n);
    await b.call(700_000n);
    await a.grant(1n);
    expect(await checkConservation(pool, clock)).toEqual({
      entries: '4800001',
      balances: '4800001',
      lots: '4800001',
      held: '300000',
      openHolds: '300000',
    });
    expect(await shown('billing_ledger_entries_sum_credits')).toBe(4.800001);
    expect(await shown('billing_balances_sum_credits')).toBe(4.800001);
    expect(await shown('billing_conservation_difference_credits', { against: 'balances' })).toBe(0);
    expect(await shown('billing_conservation_difference_credits', { against: 'lots' })).toBe(0);
    expect(await shown('billing_held_difference_credits')).toBe(0);
    expect(await shown('billing_held_credits')).toBe(0.3);
  });

  it('counts entries that were committed behind others once, when they are readable', async () => {
    await checkConservation(pool, clock);
    const account = await MoneyAccount.open(pool, clock, 9n);
    const slow = await pool.connect();
    await slow.query('BEGIN');
    // A transaction that began before and still runs: what it writes comes before what is committed meanwhile.
    await slow.query('SELECT pg_current_xact_id()');
    await account.grant(5n);
    const during = await checkConservation(pool, clock);
    expect(during?.entries).toBe(during?.balances);
    await slow.query('COMMIT');
    slow.release();
    await account.grant(6n);
    const after = await checkConservation(pool, clock);
    expect(after?.entries).toBe(after?.balances);
    expect(BigInt(after?.entries ?? 0) - BigInt(during?.entries ?? 0)).toBe(6n);
  });

  it('shows a balance, a lot and a hold that somebody changed', async () => {
    const { accountId } = await MoneyAccount.open(pool, clock, 1_000_000n);
    const set = (sign: string): string =>
      `UPDATE account_balances SET balance_micro = balance_micro ${sign} 250000 WHERE account_id = $1`;
    await tamper(
      set('+'),
      [accountId],
      async () => {
        await checkConservation(pool, clock);
        expect(await shown('billing_conservation_difference_credits', { against: 'balances' })).toBe(-0.25);
      },
      set('-'),
    );
    const lots = (sign: string): string =>
      `UPDATE credit_lots SET remaining_micro = remaining_micro ${sign} 100000 WHERE account_id = $1`;
    await tamper(
      lots('-'),
      [accountId],
      async () => {
        await checkConservation(pool, clock);
        expect(await shown('billing_conservation_difference_credits', { against: 'lots' })).toBe(0.1);
      },
      lots('+'),
    );
    const held = (sign: string): string =>
      `UPDATE account_balances SET held_micro = held_micro ${sign} 50000 WHERE account_id = $1`;
    await tamper(
      held('+'),
      [accountId],
      async () => {
        await checkConservation(pool, clock);
        expect(await shown('billing_held_difference_credits')).toBe(0.05);
      },
      held('-'),
    );
    await checkConservation(pool, clock);
    expect(await shown('billing_held_difference_credits')).toBe(0);
  });

  it('is computed by one replica at a time', async () => {
    await checkConservation(pool, clock);
    const other = await pool.connect();
    await other.query('BEGIN');
    await other.query(`SELECT FROM background_checks WHERE check_name = 'conservation' FOR UPDATE`);
    expect(await checkConservation(pool, clock)).toBeUndefined();
    await other.query('ROLLBACK');
    other.release();
  });
});

describe('the pass over all accounts', () => {
  const breakages: [invariant: string, change: string, undo: string][] = [
    [
      'balance_is_head',
      'UPDATE ledger_heads SET balance_micro = balance_micro + 1 WHERE account_id = $1',
      'UPDATE ledger_heads SET balance_micro = balance_micro - 1 WHERE account_id = $1',
    ],
    [
      'balance_is_lots',
      'UPDATE credit_lots SET remaining_micro = remaining_micro - 1 WHERE account_id = $1',
      'UPDATE credit_lots SET remaining_micro = remaining_micro + 1 WHERE account_id = $1',
    ],
    [
      'head_is_last_entry',
      'UPDATE ledger_heads SET entry_seq = entry_seq + 1 WHERE account_id = $1',
      'UPDATE ledger_heads SET entry_seq = entry_seq - 1 WHERE account_id = $1',
    ],
  ];
  it.each(breakages)('finds what breaks %s, tells every replica, and names the account', async (name, change, undo) => {
    const { accountId } = await MoneyAccount.open(pool, clock, 1_000_000n);
    await checkAccounts(pool, clock, logger);
    expect(await broken(name)).toBe(0);
    await tamper(
      change,
      [accountId],
      async () => {
        await checkAccounts(pool, clock, logger);
        expect(await broken(name)).toBe(1);
        expect(logged.join('')).toContain(accountId);
      },
      undo,
    );
    await checkAccounts(pool, clock, logger);
    expect(await broken(name)).toBe(0);
  });

  it('finds a chain that was rewritten', async () => {
    const account = await MoneyAccount.open(pool, clock, 1_000_000n);
    await account.call(1_000n);
    await account.call(1_000n);
    const set = (hash: string): string =>
      `ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_append_only;
       UPDATE ledger_entries SET previous_hash = ${hash} WHERE account_id = '${account.accountId}' AND entry_seq = 2;
       ALTER TABLE ledger_entries ENABLE TRIGGER ledger_entries_append_only`;
    await tamper(
      set(`reverse(previous_hash)`),
      [],
      async () => {
        await checkAccounts(pool, clock, logger);
        expect(await broken('chain_is_dense')).toBe(1);
      },
      set(`reverse(previous_hash)`),
    );
  });

  it('goes on where the last round stopped, over more accounts than one takes', async () => {
    await checkAccounts(pool, clock, logger);
    await pool.query(
      `INSERT INTO account_balances (account_id, balance_micro)
       SELECT 'acc_' || lpad(to_hex(i), 32, '0'), CASE WHEN i % 1000 = 0 THEN 5 ELSE 0 END FROM generate_series(1, 2500) AS i`,
    );
    const first = await checkAccounts(pool, clock, logger);
    expect(first?.after).not.toBe('');
    expect(await broken('balance_is_lots')).toBe(2);
    const second = await checkAccounts(pool, clock, logger);
    expect(second).toMatchObject({ after: '', lastBroken: { balance_is_lots: 2, balance_is_head: 2 } });
    expect(second?.lastChecked).toBeGreaterThan(2_500);
    expect(await shown('billing_invariant_checked_accounts')).toBe(second?.lastChecked);
    nowMs += 90_000;
    expect(await shown('billing_check_age_seconds', { check: 'accounts' })).toBe(90);
    await pool.query(`DELETE FROM account_balances WHERE account_id LIKE 'acc_000000000000000000000%'`);
  });
});

describe('gauges', () => {
  it('show open holds and their age, exceptions by kind, parked keys and the longest settlement', async () => {
    const account = await MoneyAccount.open(pool, clock, 1_000_000n);
    await pool.query(`UPDATE holds SET state = 'released', ended_at = placed_at WHERE state = 'open'`);
    await account.hold(5n);
    nowMs += 42_000;
    await account.hold(5n);
    const { accountId } = account;
    const executionId = newExecutionId(nowMs);
    const stray = terminalEvent({ executionId, accountId, type: 'ExecutionCompleted', success: true, bill: 3n, nowMs });
    await inTransaction(pool, (tx) => settleExecutions(tx, [stray], clock));
    await pool.query(
      `INSERT INTO parked_events (consumer_group, topic, partition_key, event_id, source_partition, source_position, event, reason)
       SELECT 'billing.settlement', 't', k, gen_random_uuid(), 0, '0', '{}', 'r' FROM unnest(ARRAY['a', 'a', 'b']) AS k`,
    );
    nowMs += 7_000;
    expect(await shown('billing_open_holds')).toBe(2);
    expect(await shown('billing_open_hold_oldest_seconds')).toBe(49);
    expect(await shown('billing_open_exceptions', { kind: 'missing_hold' })).toBe(1);
    expect(await shown('billing_open_exceptions', { kind: 'failed_charged_review' })).toBe(0);
    expect(await shown('billing_open_exception_oldest_seconds')).toBe(7);
    expect(await shown('billing_parked_keys', { group: 'billing.settlement' })).toBe(2);
    expect(await shown('billing_parked_events', { group: 'billing.settlement' })).toBe(3);
    expect(toIso(nowMs)).toBe(toIso(((await shown('billing_gauges_refreshed_timestamp_seconds')) ?? 0) * 1_000));
  });

  it('show what was read last and read nothing when they are scraped', async () => {
    const registry = new Registry();
    let queries = 0;
    const counting = new Proxy(pool, {
      get(target, property) {
        if (property === 'query' || property === 'connect') queries += 1;
        return Reflect.get(target, property, target) as unknown;
      },
    });
    const lag = new SettlementLag(registry);
    const gauges = new GaugesTask(counting, clock, lag, registry);
    lag.settled(1_500);
    lag.settled(200);
    await gauges.refresh();
    const read = queries;
    const text = await registry.metrics();
    expect(text).toContain('billing_settlement_lag_seconds 1.5');
    expect([read > 0, queries]).toEqual([true, read]);
    await gauges.refresh();
    expect(await registry.metrics()).toContain('billing_settlement_lag_seconds 0\n');
  });
});
