import { appendBatch, type NewEvent } from '@capability-router/event-store';
import { topicNames } from '@capability-router/contracts';
import { toIso, ZERO_CREDITS, type AccountId, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { isOvertaken } from '../ledger/posting/overtaken.js';
import { Posting } from '../ledger/posting/posting.js';
import type { ImportRef } from '../settlement/domain/import-ref.js';
import { insertSettled, type SettledRow } from '../settlement/settlement.sql.js';
import { importFact, importMovement, importSettlement, statusOf } from './domain/import-records.js';
import { refusalOf, refused, resultOfRepeat, type ImportResult } from './domain/import-result.js';
import type { ModelCall } from './domain/model-call.js';
import { newImportRef } from './import-ref.js';
import {
  findImported,
  insertImported,
  readAccounts,
  type ImportedRow,
  type ImportingAccounts,
} from './usage-imports.sql.js';

/** Tries for one row whose account's calls come between. */
const MAX_TRIES = 5;

/**
 * Brings model calls into audit, ledger and settlement, in one short transaction; a row that is refused stops no
 * other. Calls that were imported before are told apart by their contents and never charged again. A batch that holds
 * of the same accounts overtake is halved until it goes through.
 * @returns one result per call, in their order
 */
export async function importModelCalls(
  pool: pg.Pool,
  calls: readonly ModelCall[],
  clock: Clock,
): Promise<ImportResult[]> {
  if (calls.length === 0) return [];
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    try {
      return await inTransaction(pool, (tx) => importBatch(tx, calls, clock));
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      if (calls.length === 1) continue;
      const half = Math.ceil(calls.length / 2);
      return [
        ...(await importModelCalls(pool, calls.slice(0, half), clock)),
        ...(await importModelCalls(pool, calls.slice(half), clock)),
      ];
    }
  }
  return [refused('busy', 'Calls of this account keep coming between. Send the row again.')];
}

/** As `importModelCalls`, in the caller's transaction. */
export async function importBatch(
  tx: pg.PoolClient,
  calls: readonly ModelCall[],
  clock: Clock,
): Promise<ImportResult[]> {
  const posting = await Posting.openKnown(
    tx,
    calls.map((call) => call.accountId),
    clock,
  );
  const batch = new ImportBatch(posting, await readAccounts(tx, calls), await findImported(tx, calls));
  const results = calls.map((call) => batch.add(call));
  await batch.write(tx);
  return results;
}

/** Collects what a batch writes, so that the number of statements does not grow with it. */
class ImportBatch {
  private readonly imported: ImportedRow[] = [];
  private readonly settled: SettledRow[] = [];
  private readonly events: { streamId: string; sequence: number; event: NewEvent }[] = [];

  constructor(
    private readonly posting: Posting,
    private readonly accounts: ImportingAccounts,
    private readonly before: Map<string, { readonly importRef: ImportRef; readonly inputHash: string }>,
  ) {}

  add(call: ModelCall): ImportResult {
    const { accountId } = call;
    const key = `${accountId} ${call.importId}`;
    const before = this.before.get(key);
    if (before !== undefined) return resultOfRepeat(call, before);
    const refusal = this.refusalOf(call);
    if (refusal !== undefined) return refusal;
    const { importRef, usageEventId } = newImportRef(call.occurredMs);
    this.before.set(key, { importRef, inputHash: call.inputHash });
    this.imported.push({ accountId, importId: call.importId, inputHash: call.inputHash, importRef });
    const ledgerEntryId =
      call.amount > 0n
        ? this.posting.charge(accountId, importMovement(call, importRef), call.amount).entryId
        : undefined;
    this.record(call, importRef, usageEventId, ledgerEntryId);
    return {
      status: 'imported',
      importRef,
      usageEventId,
      ...(ledgerEntryId === undefined ? {} : { ledgerEntryId }),
    };
  }

  async write(tx: pg.PoolClient): Promise<void> {
    if (this.imported.length === 0) return;
    const now = toIso(this.posting.nowMs);
    await insertImported(tx, this.imported, now);
    await insertSettled(tx, this.settled, now);
    await appendBatch(tx, 'billing', this.events);
    await this.posting.write();
  }

  private refusalOf(call: ModelCall): ImportResult | undefined {
    const { accountId, apiKeyId } = call;
    return refusalOf(call, {
      known: this.posting.known(accountId),
      erased: this.accounts.erased.has(accountId),
      ownerOfKey: apiKeyId === undefined ? undefined : this.accounts.ownerOfKey.get(apiKeyId),
      available: () => this.posting.available(accountId),
    });
  }

  private record(call: ModelCall, importRef: ImportRef, usageEventId: string, ledgerEntryId: string | undefined): void {
    const { accountId } = call;
    const settlementSeq = this.posting.nextSettlement(accountId);
    const money = {
      status: statusOf(call),
      requested: call.amount,
      settled: call.amount,
      covered: ZERO_CREDITS,
    } as const;
    this.settled.push({
      billableId: importRef,
      accountId,
      ...money,
      ledgerEntryId: ledgerEntryId ?? null,
      settlementSeq,
    });
    const time = toIso(this.posting.nowMs);
    const settlement = importSettlement(call, { importRef, usageEventId, ledgerEntryId, settlementSeq }, time);
    this.event(importRef, 1, accountId, {
      type: 'ModelCallImported',
      topic: topicNames.usageRecords,
      data: importFact(call, importRef, usageEventId),
      time,
    });
    const settledEvent = { type: 'UsageSettled', topic: topicNames.usageSettlements, data: settlement, time };
    this.event(`settlements:${accountId}`, Number(settlementSeq), accountId, settledEvent);
  }

  private event(
    streamId: string,
    sequence: number,
    partitionKey: AccountId,
    event: Omit<NewEvent, 'partitionKey'>,
  ): void {
    this.events.push({ streamId, sequence, event: { ...event, partitionKey } });
  }
}
