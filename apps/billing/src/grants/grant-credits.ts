import type { LedgerEntryType } from '@capability-router/contracts';
import {
  newLedgerEntryId,
  toIso,
  type AccountId,
  type Clock,
  type Credits,
  type JsonObject,
} from '@capability-router/kernel';
import type pg from 'pg';
import { applyBalanceDeltas, type BalanceDelta } from '../ledger/balances.sql.js';
import { chainEntry, type LedgerEntry } from '../ledger/entry.js';
import { lockHeads, saveHeads } from '../ledger/heads.js';
import { insertEntries } from '../ledger/insert-entries.js';

/** A grant becomes one ledger entry and one lot. `grantRef` names it once and for all: a second one changes nothing. */
export interface Grant {
  readonly grantRef: string;
  readonly accountId: AccountId;
  readonly amount: Credits;
  readonly entryType: Extract<LedgerEntryType, `grant_${string}`>;
  readonly category: string;
  readonly expiresAt: string | null;
  readonly sourceSystem: string;
  readonly description: string;
  readonly metadata: JsonObject;
  readonly effectiveAt: string;
}

const insertLotsSql = `
INSERT INTO credit_lots (lot_id, account_id, category, granted_micro, remaining_micro, expires_at, granted_at, grant_ref, ledger_entry_id)
SELECT v.lot_id, v.account_id, v.category, v.amount, v.amount, v.expires_at, v.granted_at, v.grant_ref, v.lot_id
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[], $7::text[])
    AS v (lot_id, account_id, category, amount, expires_at, granted_at, grant_ref)`;

/**
 * Books grants in the caller's transaction, under the same locks in the same order as settlement.
 * @returns the entries of those that were not booked before
 */
export async function grantCredits(
  tx: pg.PoolClient,
  grants: readonly Grant[],
  clock: Pick<Clock, 'nowMs'>,
): Promise<LedgerEntry[]> {
  if (grants.length === 0) return [];
  const heads = await lockHeads(
    tx,
    grants.map((grant) => grant.accountId),
  );
  const { rows } = await tx.query<{ grant_ref: string }>(
    'SELECT grant_ref FROM credit_lots WHERE grant_ref = ANY($1)',
    [grants.map((grant) => grant.grantRef)],
  );
  const booked = new Set(rows.map((row) => row.grant_ref));
  const entries: { grant: Grant; entry: LedgerEntry }[] = [];
  const deltas = new Map<AccountId, BalanceDelta>();
  const now = clock.nowMs();
  for (const grant of grants) {
    const delta = deltas.get(grant.accountId) ?? { balance: 0n, held: 0n };
    deltas.set(grant.accountId, delta);
    const head = heads.get(grant.accountId);
    if (head === undefined || grant.amount === 0n || booked.has(grant.grantRef)) continue;
    booked.add(grant.grantRef);
    const chained = chainEntry(head, pendingEntry(grant, now), toIso(now));
    heads.set(grant.accountId, chained.head);
    deltas.set(grant.accountId, { balance: delta.balance + grant.amount, held: 0n });
    entries.push({ grant, entry: chained.entry });
  }
  await insertEntries(
    tx,
    entries.map(({ entry }) => entry),
  );
  await insertLots(tx, entries);
  const moved = new Set(entries.map(({ grant }) => grant.accountId));
  await saveHeads(
    tx,
    [...heads.values()].filter((head) => moved.has(head.accountId)),
  );
  await applyBalanceDeltas(tx, deltas, { create: true });
  return entries.map(({ entry }) => entry);
}

function pendingEntry(grant: Grant, nowMs: number): Parameters<typeof chainEntry>[1] {
  return {
    entryId: newLedgerEntryId(nowMs),
    entryType: grant.entryType,
    amount: grant.amount,
    sourceSystem: grant.sourceSystem,
    sourceRefType: 'grant',
    sourceRefId: grant.grantRef,
    executionId: null,
    description: grant.description,
    metadata: { ...grant.metadata, category: grant.category },
    preSettlementBill: null,
    settlementResult: null,
    effectiveAt: grant.effectiveAt,
  };
}

async function insertLots(tx: pg.PoolClient, booked: readonly { grant: Grant; entry: LedgerEntry }[]): Promise<void> {
  if (booked.length === 0) return;
  await tx.query(insertLotsSql, [
    booked.map(({ entry }) => entry.entryId),
    booked.map(({ grant }) => grant.accountId),
    booked.map(({ grant }) => grant.category),
    booked.map(({ grant }) => grant.amount.toString()),
    booked.map(({ grant }) => grant.expiresAt),
    booked.map(({ grant }) => grant.effectiveAt),
    booked.map(({ grant }) => grant.grantRef),
  ]);
}
