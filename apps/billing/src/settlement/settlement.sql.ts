import { creditsFromMicro, type AccountId, type Credits } from '@capability-router/kernel';
import type pg from 'pg';
import type { BillableId } from '../holds/domain/billable-id.js';
import type { ExceptionKind, HoldFound } from './domain/decide-settlement.js';
import type { ImportRef } from './domain/import-ref.js';

const settledSql = `SELECT source_ref_id FROM settlements WHERE source_ref_id = ANY($1)`;

export async function alreadySettled(tx: pg.PoolClient, ids: readonly BillableId[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ source_ref_id: string }>({
    name: 'already-settled',
    text: settledSql,
    values: [ids],
  });
  return new Set(rows.map((row) => row.source_ref_id));
}

/** Locks them: the sweeper may want to release the same rows. Sorted like the sweeper's own lock. */
const lockHoldsSql = `
SELECT execution_id, account_id, state, amount_micro, budget_ids, allowance_day::text FROM holds WHERE execution_id = ANY($1)
 ORDER BY account_id, execution_id FOR UPDATE`;

interface LockedHold {
  readonly execution_id: string;
  readonly account_id: AccountId;
  readonly state: HoldFound['state'];
  readonly amount_micro: string;
  readonly budget_ids: readonly string[] | null;
  readonly allowance_day: string | null;
}

export async function lockHolds(tx: pg.PoolClient, ids: readonly BillableId[]): Promise<Map<string, HoldFound>> {
  const { rows } = await tx.query<LockedHold>({
    name: 'lock-holds',
    text: lockHoldsSql,
    values: [ids],
  });
  return new Map(
    rows.map((row) => [
      row.execution_id,
      {
        accountId: row.account_id,
        state: row.state,
        amount: creditsFromMicro(BigInt(row.amount_micro)),
        budgetIds: row.budget_ids ?? [],
        allowanceDay: row.allowance_day,
      },
    ]),
  );
}

export interface HoldEnd {
  readonly billableId: BillableId;
  readonly state: 'captured' | 'released' | 'uncollected';
  readonly captured: Credits;
}

const endHoldsSql = `
UPDATE holds SET state = v.state, captured_micro = v.captured, ended_at = $4
  FROM unnest($1::text[], $2::text[], $3::bigint[]) AS v (execution_id, state, captured)
 WHERE holds.execution_id = v.execution_id AND holds.state = 'open'`;

export async function endHolds(tx: pg.PoolClient, ends: readonly HoldEnd[], now: string): Promise<void> {
  if (ends.length === 0) return;
  const { rowCount } = await tx.query({
    name: 'end-holds',
    text: endHoldsSql,
    values: [ends.map((e) => e.billableId), ends.map((e) => e.state), ends.map((e) => e.captured.toString()), now],
  });
  if (rowCount !== ends.length) throw new Error(`${rowCount} of ${ends.length} holds ended`);
}

export interface SettledRow {
  readonly billableId: BillableId | ImportRef;
  readonly accountId: string;
  readonly status: string;
  readonly requested: Credits;
  readonly settled: Credits;
  readonly covered: Credits;
  readonly ledgerEntryId: string | null;
  readonly settlementSeq: bigint;
}

const insertSettledSql = `
INSERT INTO settlements
  (source_ref_id, account_id, status, requested_micro, settled_micro, covered_micro, ledger_entry_id, settlement_seq, settled_at)
SELECT v.*, $9 FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[]) AS v`;

/** The primary key is what makes a second charge for one execution, search or import impossible. */
export async function insertSettled(tx: pg.PoolClient, rows: readonly SettledRow[], now: string): Promise<void> {
  await tx.query({
    name: 'insert-settled',
    text: insertSettledSql,
    values: [
      rows.map((row) => row.billableId),
      rows.map((row) => row.accountId),
      rows.map((row) => row.status),
      rows.map((row) => row.requested.toString()),
      rows.map((row) => row.settled.toString()),
      rows.map((row) => row.covered.toString()),
      rows.map((row) => row.ledgerEntryId),
      rows.map((row) => row.settlementSeq.toString()),
      now,
    ],
  });
}

const insertExceptionsSql = `
INSERT INTO settlement_exceptions (execution_id, account_id, kind, requested_micro, raised_at)
SELECT v.*, $5 FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS v`;

export interface ExceptionRow {
  readonly billableId: BillableId;
  readonly accountId: string;
  readonly kind: ExceptionKind;
  readonly requested: Credits;
}

export async function insertExceptions(tx: pg.PoolClient, rows: readonly ExceptionRow[], now: string): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(insertExceptionsSql, [
    rows.map((row) => row.billableId),
    rows.map((row) => row.accountId),
    rows.map((row) => row.kind),
    rows.map((row) => row.requested.toString()),
    now,
  ]);
}
