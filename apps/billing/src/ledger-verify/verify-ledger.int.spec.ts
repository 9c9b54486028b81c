import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { untilReadable } from '@capability-router/event-store/testing';
import { ManualClock, newAccountId, type AccountId, type Credits } from '@capability-router/kernel';
import { chainEntry, type LedgerEntry } from '../ledger/domain/entry.js';
import { ledgerEntryFromRow, type LedgerEntryRow } from '../ledger/ledger-row.js';
import { recordLedgerRoot } from '../ledger-roots/record-root.js';
import { behindTheService, bookEntries } from '../test-support/book-entries.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { verifyLedger } from './verify-ledger.js';

const YESTERDAY = Date.UTC(2026, 0, 2, 12);
const TODAY = Date.UTC(2026, 0, 3, 0, 1);
const ENTRIES = 6;

describe('verifying a ledger in which somebody wrote behind the service', () => {
  let database: ScratchDatabase;
  let accounts: AccountId[];
  let victim: AccountId;
  let entries: LedgerEntry[];

  beforeEach(async () => {
    database = await createScratchDatabase();
    accounts = [1, 2, 3].map((n) => newAccountId(YESTERDAY + n));
    const [, second] = accounts;
    if (second === undefined) throw new Error('no accounts');
    victim = second;
    for (const account of accounts) {
      const booked = await bookEntries(database.pool, account, [1_000n, -10n, 20n, -30n, 40n, -50n], YESTERDAY);
      if (account === victim) entries = booked;
    }
    await untilReadable(database.pool);
  });
  afterEach(() => database.drop());

  const at = (sequence: number): LedgerEntry => {
    const entry = entries[sequence - 1];
    if (entry === undefined) throw new Error(`there is no entry ${sequence}`);
    return entry;
  };
  const rowAt = (sequence: number): string => `account_id = '${victim}' AND entry_seq = ${sequence}`;
  const tamper = (...statements: string[]): Promise<void> => behindTheService(database.owner, ...statements);
  const found = async (): Promise<unknown[]> =>
    (await verifyLedger(database.pool)).findings.map(({ kind, accountId, sequence, entryId }) => ({
      kind,
      accountId,
      sequence,
      entryId,
    }));
  const first = async (): Promise<unknown> => (await found())[0];

  it('finds nothing in a sound one, and counts what it read', async () => {
    await recordLedgerRoot(database.pool, new ManualClock(TODAY));
    const report = await verifyLedger(database.pool);
    expect(report).toEqual(
      expect.objectContaining({
        sound: true,
        accounts: accounts.length,
        entries: accounts.length * ENTRIES,
        heads: accounts.length,
        rootChecked: true,
        topic: null,
        findings: [],
      }),
    );
    expect(report.root?.ledgerDate).toBe('2026-01-02');
  });

  it.each([
    ['its amount', 'amount_micro = amount_micro + 1, balance_after_micro = balance_after_micro + 1'],
    ['its balances', 'balance_before_micro = balance_before_micro + 1, balance_after_micro = balance_after_micro + 1'],
    ['its type', "entry_type = 'consume_model_call'"],
    ['its description', "description = 'another'"],
    ['its metadata', `metadata = '{"note": "m"}'`],
    ['its source', "source_ref_id = 'another'"],
    ['its execution', "execution_id = 'exec_none'"],
    ['its time', "effective_at = effective_at + interval '1 hour'"],
    ['its bill', `pre_settlement_bill = '{}'`],
    ['its hash', `hash = '${'0'.repeat(64)}'`],
  ])('names the row of which %s was edited', async (_what, change) => {
    await tamper(`UPDATE ledger_entries SET ${change} WHERE ${rowAt(3)}`);
    expect(await first()).toEqual({ kind: 'changed', accountId: victim, sequence: '3', entryId: at(3).entryId });
  });

  it('names the row behind one that was edited and hashed anew', async () => {
    await rewrite(3, 3);
    expect(await first()).toEqual({ kind: 'out_of_place', accountId: victim, sequence: '4', entryId: at(4).entryId });
  });

  it('names the place of a row that was deleted', async () => {
    await tamper(`DELETE FROM ledger_entries WHERE ${rowAt(3)}`);
    expect(await first()).toEqual({ kind: 'missing', accountId: victim, sequence: '3', entryId: at(4).entryId });
  });

  it('names the place of rows that were deleted at the end', async () => {
    await tamper(`DELETE FROM ledger_entries WHERE account_id = '${victim}' AND entry_seq > 4`);
    expect(await first()).toEqual({ kind: 'missing', accountId: victim, sequence: '5', entryId: at(4).entryId });
  });

  it('names an account of which everything was deleted', async () => {
    await tamper(`DELETE FROM ledger_entries WHERE account_id = '${victim}'`);
    expect(await first()).toEqual({ kind: 'missing', accountId: victim, sequence: '1', entryId: null });
  });

  it('names the first of two rows that changed places', async () => {
    await tamper(
      `UPDATE ledger_entries SET entry_seq = 99 WHERE ${rowAt(3)}`,
      `UPDATE ledger_entries SET entry_seq = 3 WHERE ${rowAt(4)}`,
      `UPDATE ledger_entries SET entry_seq = 4 WHERE ${rowAt(99)}`,
    );
    expect(await first()).toEqual({ kind: 'out_of_place', accountId: victim, sequence: '3', entryId: at(4).entryId });
  });

  it('names a row that was inserted beside another, where the key that forbids it was dropped', async () => {
    await dropUniqueness();
    const copy = await insertCopy(3, 3, 'ledffffffff');
    expect(await first()).toEqual({ kind: 'inserted', accountId: victim, sequence: '3', entryId: copy });
  });

  it('names the row after which a row was inserted, with those behind it moved on', async () => {
    const copy = 'led_inserted';
    await tamper(
      `UPDATE ledger_entries SET entry_seq = entry_seq + 100 WHERE account_id = '${victim}' AND entry_seq > 3`,
      `UPDATE ledger_entries SET entry_seq = entry_seq - 99 WHERE account_id = '${victim}' AND entry_seq > 100`,
    );
    await insertCopy(3, 4, copy);
    expect(await first()).toEqual({ kind: 'out_of_place', accountId: victim, sequence: '4', entryId: copy });
  });

  it('names a row that was inserted at the end, hashed as it must be', async () => {
    const { entry } = chainEntry(headAfter(6), at(6), { ...at(6), entryId: 'led_forged' as never });
    await insertCopy(6, 7, 'led_forged');
    await tamper(
      `UPDATE ledger_entries SET previous_hash = '${entry.previousHash}', hash = '${entry.hash}',
              balance_before_micro = ${entry.balanceBefore}, balance_after_micro = ${entry.balanceAfter}
        WHERE entry_id = 'led_forged'`,
    );
    expect(await first()).toEqual({ kind: 'inserted', accountId: victim, sequence: '7', entryId: 'led_forged' });
  });

  it('names an account that nobody opened', async () => {
    await tamper(`DELETE FROM ledger_heads WHERE account_id = '${victim}'`);
    expect(await first()).toEqual({ kind: 'head', accountId: victim, sequence: null, entryId: null });
  });

  it.each([
    ['the hash of a head', `UPDATE ledger_heads SET last_hash = '${'1'.repeat(64)}'`],
    ['the balance of a head', 'UPDATE ledger_heads SET balance_micro = balance_micro + 1'],
    ['the balance that holds are taken from', 'UPDATE account_balances SET balance_micro = balance_micro + 1'],
  ])('finds %s', async (_what, statement) => {
    await tamper(`${statement} WHERE account_id = '${victim}'`);
    expect(await found()).toEqual([{ kind: 'head', accountId: victim, sequence: '6', entryId: at(6).entryId }]);
  });

  it('names the first broken row of each account and goes on', async () => {
    await tamper("UPDATE ledger_entries SET description = 'x' WHERE entry_seq IN (2, 4)");
    const named = (await found()) as { accountId: string; sequence: string }[];
    expect(named.map(({ accountId, sequence }) => [accountId, sequence])).toEqual(
      accounts.map((account) => [account, '2']),
    );
  });

  it('finds a suffix that was written anew with its head only by a root that is younger', async () => {
    await rewrite(4, ENTRIES, { head: true });
    expect(await found()).toEqual([]);
    await restore();
    await recordLedgerRoot(database.pool, new ManualClock(TODAY));
    await rewrite(4, ENTRIES, { head: true });
    expect(await found()).toEqual([{ kind: 'root', accountId: null, sequence: '1', entryId: null }]);
  });

  it('does not find, without the topic, a suffix that was written anew since the last root', async () => {
    await recordLedgerRoot(database.pool, new ManualClock(TODAY));
    entries.push(...(await bookEntries(database.pool, victim, [-5n, -6n], TODAY)));
    await rewrite(ENTRIES + 1, ENTRIES + 2, { head: true });
    expect(await found()).toEqual([]);
  });

  it.each([
    ['edited', 'UPDATE ledger_roots SET accounts = accounts + 1, entries = entries + 1 WHERE root_seq = 2', '2'],
    ['deleted', 'DELETE FROM ledger_roots WHERE root_seq = 2', '2'],
    ['of another ledger', `UPDATE ledger_roots SET previous_hash = '${'2'.repeat(64)}' WHERE root_seq = 2`, '2'],
  ])('finds a root that was %s', async (_what, statement, sequence) => {
    for (let day = 0; day < 3; day += 1)
      await recordLedgerRoot(database.pool, new ManualClock(TODAY + day * 86_400_000));
    await tamper(statement);
    expect(await found()).toContainEqual({ kind: 'root', accountId: null, sequence, entryId: null });
  });

  it('can begin at an account, and look at one alone', async () => {
    const [one, , three] = accounts;
    await tamper(`UPDATE ledger_entries SET description = 'x' WHERE account_id = '${one}' AND entry_seq = 1`);
    expect(await verifyLedger(database.pool, { from: victim })).toEqual(
      expect.objectContaining({ sound: true, accounts: 2, heads: 2, entries: 2 * ENTRIES, rootChecked: false }),
    );
    expect(await verifyLedger(database.pool, { only: three })).toEqual(
      expect.objectContaining({ sound: true, accounts: 1, heads: 1, entries: ENTRIES }),
    );
    expect((await verifyLedger(database.pool, { only: one })).findings).toHaveLength(1);
  });

  const headAfter = (sequence: number) => ({
    accountId: victim,
    entrySeq: BigInt(sequence),
    balance: at(sequence).balanceAfter,
    lastHash: at(sequence).hash,
    settlementSeq: 0n,
  });

  async function dropUniqueness(): Promise<void> {
    const { rows } = await database.pool.query<{ sql: string }>(
      `SELECT format('ALTER TABLE ledger_entries DROP CONSTRAINT IF EXISTS %I', conname) AS sql FROM pg_constraint
        WHERE conrelid = 'ledger_entries'::regclass AND contype = 'u'
       UNION ALL
       SELECT format('DROP INDEX IF EXISTS %s', i.indexrelid::regclass) FROM pg_index i
        WHERE i.indrelid = 'ledger_entries'::regclass AND i.indisunique AND NOT i.indisprimary
          AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    );
    for (const { sql } of rows) await database.owner.query(sql);
  }

  /** A copy of the row at `from`, at another place, under another id. */
  async function insertCopy(from: number, to: number, entryId: string): Promise<string> {
    const { rows } = await database.pool.query<{ names: string }>(
      `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
        WHERE table_name = 'ledger_entries' AND table_schema = 'public' AND is_identity = 'NO' AND is_generated = 'NEVER'
          AND column_name NOT IN ('entry_id', 'entry_seq')`,
    );
    const names = rows[0]?.names ?? '';
    await tamper(
      `INSERT INTO ledger_entries (entry_id, entry_seq, ${names})
       SELECT '${entryId}', ${to}, ${names} FROM ledger_entries WHERE ${rowAt(from)}`,
    );
    return entryId;
  }

  /** Writes the rows of these places anew with other texts, chained as the service would; with `head`, the head too. */
  async function rewrite(from: number, to: number, options: { head?: boolean } = {}): Promise<void> {
    let head = headAfterOrGenesis(from - 1);
    const statements: string[] = [];
    for (let sequence = from; sequence <= to; sequence += 1) {
      const chained = chainEntry(head, { ...at(sequence), description: 'rewritten' }, at(sequence));
      head = chained.head;
      statements.push(
        `UPDATE ledger_entries SET description = 'rewritten', previous_hash = '${chained.entry.previousHash}',
                hash = '${chained.entry.hash}' WHERE ${rowAt(sequence)}`,
      );
    }
    if (options.head === true) {
      statements.push(`UPDATE ledger_heads SET last_hash = '${head.lastHash}' WHERE account_id = '${victim}'`);
    }
    await tamper(...statements);
  }

  const headAfterOrGenesis = (sequence: number) =>
    sequence > 0
      ? headAfter(sequence)
      : { accountId: victim, entrySeq: 0n, balance: 0n as Credits, lastHash: '0'.repeat(64), settlementSeq: 0n };

  async function restore(): Promise<void> {
    await tamper(
      ...entries.map(
        (entry) =>
          `UPDATE ledger_entries SET description = 'test', previous_hash = '${entry.previousHash}', hash = '${entry.hash}'
            WHERE entry_id = '${entry.entryId}'`,
      ),
      `UPDATE ledger_heads SET last_hash = '${at(ENTRIES).hash}' WHERE account_id = '${victim}'`,
    );
    const { rows } = await database.pool.query<LedgerEntryRow>(
      'SELECT * FROM ledger_entries WHERE account_id = $1 ORDER BY entry_seq',
      [victim],
    );
    expect(rows.map(ledgerEntryFromRow)).toEqual(entries);
  }
});
