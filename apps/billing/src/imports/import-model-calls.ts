import { appendBatch, type NewEvent } from '@capability-router/event-store';
import { topicNames, type Bill, type ModelCallImported, type UsageSettled } from '@capability-router/contracts';
import { formatCredits, toIso, ZERO_CREDITS, type AccountId, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Movement } from '../ledger/domain/entry.js';
import type { PostedBy } from '../ledger/domain/entry-types.js';
import { isOvertaken } from '../ledger/posting/overtaken.js';
import { Posting } from '../ledger/posting/posting.js';
import type { ImportRef } from '../settlement/domain/import-ref.js';
import { insertSettled, type SettledRow } from '../settlement/settlement.sql.js';
import { IMPORT_SOURCE_SYSTEM } from '../usage-audit/domain/model-call-row.js';
import { newImportRef } from './import-ref.js';
import type { ModelCall } from './model-call.js';
import {
  findImported,
  insertImported,
  readAccounts,
  type ImportedRow,
  type ImportingAccounts,
} from './usage-imports.sql.js';

/** What became of one row. */
export type ImportResult =
  | {
      readonly status: 'imported';
      readonly importRef: ImportRef;
      readonly usageEventId: string;
      readonly ledgerEntryId?: string;
    }
  | { readonly status: 'duplicate'; readonly importRef: ImportRef }
  /** Nothing was written of it. */
  | { readonly status: 'conflict' | 'rejected'; readonly code: string; readonly message: string };

/** Tries for one row whose account's calls come between. */
const MAX_TRIES = 5;

/**
 * Brings model calls into audit, ledger and settlement, in one short transaction; a row that is refused stops no other.
 * What was imported before is told apart by its contents and never charged again. A batch that holds of the same
 * accounts overtake is halved until it goes through.
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
    if (before !== undefined) {
      if (before.inputHash === call.inputHash) return { status: 'duplicate', importRef: before.importRef };
      const message = 'import_id was used for another call of this account. Give each call an id of its own.';
      return { status: 'conflict', code: 'import_id_in_use', message };
    }
    const refusal = this.refusalOf(call);
    if (refusal !== undefined) return refusal;
    const { importRef, usageEventId } = newImportRef(call.occurredMs);
    this.before.set(key, { importRef, inputHash: call.inputHash });
    this.imported.push({ accountId, importId: call.importId, inputHash: call.inputHash, importRef });
    const ledgerEntryId =
      call.amount > 0n ? this.posting.charge(accountId, movementOf(call, importRef), call.amount).entryId : undefined;
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

  private refusalOf({ accountId, apiKeyId, amount }: ModelCall): ImportResult | undefined {
    if (!this.posting.known(accountId)) return refused('unknown_account', 'There is no such account.');
    if (this.accounts.erased.has(accountId)) return refused('account_erased', 'The account was erased.');
    if (apiKeyId !== undefined && this.accounts.ownerOfKey.get(apiKeyId) !== accountId) {
      return refused('unknown_api_key', 'The account has no such API key.');
    }
    const available = this.posting.available(accountId);
    if (amount <= available) return undefined;
    const message = `The call costs ${formatCredits(amount)} credits, ${formatCredits(available)} are available. Grant credits and send the row again.`;
    return refused('insufficient_credits', message);
  }

  private record(call: ModelCall, importRef: ImportRef, usageEventId: string, ledgerEntryId: string | undefined): void {
    const { accountId } = call;
    const settlementSeq = this.posting.nextSettlement(accountId);
    const status = call.amount > 0n ? 'settled' : 'not_applicable';
    const money = { status, requested: call.amount, settled: call.amount, covered: ZERO_CREDITS } as const;
    this.settled.push({
      billableId: importRef,
      accountId,
      ...money,
      ledgerEntryId: ledgerEntryId ?? null,
      settlementSeq,
    });
    const fact = factOf(call, importRef, usageEventId);
    const time = toIso(this.posting.nowMs);
    const settlement: UsageSettled = {
      sourceRefType: 'import',
      sourceRefId: importRef,
      usageEventId,
      accountId,
      settlementSeq: Number(settlementSeq),
      eventType: 'model_call',
      success: call.success,
      reasonCode: call.reasonCode,
      status,
      requestedMicroCredits: call.amount.toString(),
      settledMicroCredits: call.amount.toString(),
      ...(ledgerEntryId === undefined ? {} : { ledgerEntryId }),
      effectiveAt: fact.completedAt,
      settledAt: time,
    };
    this.event(importRef, 1, accountId, {
      type: 'ModelCallImported',
      topic: topicNames.usageRecords,
      data: fact,
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

const refused = (code: string, message: string): ImportResult => ({ status: 'rejected', code, message });

function factOf(call: ModelCall, importRef: ImportRef, usageEventId: string): ModelCallImported {
  return {
    importRef,
    usageEventId,
    accountId: call.accountId,
    model: call.model,
    success: call.success,
    reasonCode: call.reasonCode,
    requestedMicroCredits: call.amount.toString(),
    bill: billOf(call),
    ...(call.sessionId === undefined ? {} : { sessionId: call.sessionId }),
    ...(call.apiKeyId === undefined ? {} : { apiKeyId: call.apiKeyId }),
    ...(call.durationMs === undefined ? {} : { durationMs: call.durationMs }),
    completedAt: toIso(call.occurredMs),
  };
}

function billOf({ amount, inputTokens, outputTokens }: ModelCall): Bill {
  const tokens = inputTokens + outputTokens > 0 ? `: ${inputTokens} tokens in, ${outputTokens} out` : '';
  const [summary, description] = [`1 model call${tokens}`, `Model call${tokens}`];
  const amountMicroCredits = amount.toString();
  const line = { componentKey: 'model_call', description, quantity: 1, unitLabel: 'call', amountMicroCredits };
  return { summary, listAmountMicroCredits: amountMicroCredits, chargeLines: amount > 0n ? [line] : [] };
}

/** The model's name stays out: what is in the ledger is there for ever. */
function movementOf(call: ModelCall, importRef: ImportRef): Movement<PostedBy<'charge'>> {
  return {
    entryType: 'consume_model_call',
    sourceSystem: IMPORT_SOURCE_SYSTEM,
    sourceRefType: 'import',
    sourceRefId: importRef,
    executionId: null,
    description: 'Model call',
    metadata: { import_id: call.importId, input_tokens: call.inputTokens, output_tokens: call.outputTokens },
    preSettlementBill: { summary: billOf(call).summary, list_amount_micro_credits: call.amount.toString() },
    settlementResult: { status: 'settled', settled_amount_micro_credits: call.amount.toString() },
    effectiveAt: toIso(call.occurredMs),
  };
}
