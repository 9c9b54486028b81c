import { appendBatch } from '@capability-router/event-store';
import { topicNames, type EventEnvelope, type UsageSettled } from '@capability-router/contracts';
import {
  isSearchId,
  newLedgerEntryId,
  toIso,
  usageEventIdOf,
  type AccountId,
  type Clock,
  type Credits,
  type LedgerEntryId,
} from '@capability-router/kernel';
import type pg from 'pg';
import { applyBudgetDeltas, type BudgetDelta } from '../budgets/budget-deltas.sql.js';
import { isBilledSearch } from '../holds/billable-id.js';
import { applyBalanceDeltas, type BalanceDelta } from '../ledger/balances.sql.js';
import { chainEntry, type LedgerEntry, type LedgerHead } from '../ledger/entry.js';
import { lockHeads, saveHeads } from '../ledger/heads.js';
import { insertEntries } from '../ledger/insert-entries.js';
import { loadLots, writeBurns } from '../ledger/lots.sql.js';
import { burnLots, type Lot, type LotBurn } from '../ledger/lots.js';
import { chargeEntry } from './charge-entry.js';
import {
  decideSettlement,
  requestSettlement,
  type HoldFound,
  type SettlementDecision,
  type SettlementRequest,
} from './decide-settlement.js';
import {
  alreadySettled,
  endHolds,
  insertExceptions,
  insertSettled,
  lockHolds,
  type ExceptionRow,
  type HoldEnd,
  type SettledRow,
} from './settlement.sql.js';

/**
 * Settles a batch of ended executions and billed searches in the caller's transaction: ends holds, writes the ledger,
 * records one `UsageSettled` each. What was settled before changes nothing, so a redelivery is harmless; a batch of
 * free searches costs no statement.
 */
export async function settleExecutions(
  tx: pg.PoolClient,
  events: readonly EventEnvelope[],
  clock: Clock,
): Promise<void> {
  const requests = firstOfEach(events.flatMap((event) => requestSettlement(event) ?? []));
  if (requests.length === 0) return;
  const heads = await lockHeads(
    tx,
    requests.map((request) => request.accountId),
  );
  const settled = await alreadySettled(
    tx,
    requests.map((request) => request.billableId),
  );
  const open = requests.filter((request) => !settled.has(request.billableId));
  if (open.length === 0) return;
  const holds = await lockHolds(
    tx,
    open.map((request) => request.billableId),
  );
  const decided = open.map((request) => ({
    request,
    decision: decideSettlement(request, holds.get(request.billableId)),
  }));
  const charged = new Set(
    decided.filter(({ decision }) => decision.charge > 0n).map(({ request }) => request.accountId),
  );
  const lots = await loadLots(tx, [...charged]);
  const batch = new SettlementBatch(heads, lots, holds, clock.nowMs());
  for (const { request, decision } of decided) batch.settle(request, decision);
  await batch.write(tx);
}

/** A batch can hold the same event twice after a redelivery. */
function firstOfEach(requests: readonly SettlementRequest[]): SettlementRequest[] {
  return [...new Map([...requests].reverse().map((request) => [request.billableId, request])).values()].reverse();
}

/** Collects everything that a batch writes, so that the number of statements does not grow with it. */
class SettlementBatch {
  private readonly entries: LedgerEntry[] = [];
  private readonly burns: LotBurn[] = [];
  private readonly holdEnds: HoldEnd[] = [];
  private readonly settled: SettledRow[] = [];
  private readonly exceptions: ExceptionRow[] = [];
  private readonly facts: UsageSettled[] = [];
  private readonly deltas = new Map<AccountId, BalanceDelta>();
  private readonly budgetDeltas = new Map<string, BudgetDelta>();

  constructor(
    private readonly heads: Map<AccountId, LedgerHead>,
    private readonly lots: Map<AccountId, readonly Lot[]>,
    private readonly holds: ReadonlyMap<string, HoldFound>,
    private readonly nowMs: number,
  ) {}

  settle(request: SettlementRequest, decision: SettlementDecision): void {
    const { billableId, accountId } = request;
    const ledgerEntryId = decision.charge > 0n ? this.charge(request, decision.charge) : null;
    this.endHold(request, decision);
    if (decision.status !== 'settled' && decision.exception !== undefined) {
      this.exceptions.push({ billableId, accountId, kind: decision.exception, requested: request.requested });
    }
    const head = this.head(accountId);
    const settlementSeq = head.settlementSeq + 1n;
    this.heads.set(accountId, { ...head, settlementSeq });
    this.settled.push({
      billableId,
      accountId,
      status: decision.status,
      requested: request.requested,
      settled: decision.charge,
      ledgerEntryId,
      settlementSeq,
    });
    this.facts.push(settlementFact(request, decision, ledgerEntryId, settlementSeq, this.nowMs));
  }

  async write(tx: pg.PoolClient): Promise<void> {
    const now = toIso(this.nowMs);
    await endHolds(tx, this.holdEnds, now);
    await insertEntries(tx, this.entries);
    await writeBurns(tx, this.burns);
    await insertSettled(tx, this.settled, now);
    await insertExceptions(tx, this.exceptions, now);
    await appendBatch(
      tx,
      'billing',
      this.facts.map((fact) => ({
        streamId: `settlements:${fact.accountId}`,
        sequence: fact.settlementSeq,
        event: {
          type: 'UsageSettled',
          topic: topicNames.usageSettlements,
          partitionKey: fact.accountId,
          data: fact,
          time: now,
        },
      })),
    );
    const moved = new Set(this.settled.map((row) => row.accountId));
    await saveHeads(
      tx,
      [...this.heads.values()].filter((head) => moved.has(head.accountId)),
    );
    await applyBudgetDeltas(tx, this.budgetDeltas);
    await applyBalanceDeltas(tx, this.deltas, { create: false });
  }

  private charge(request: SettlementRequest, charge: Credits): LedgerEntryId {
    const entryId = newLedgerEntryId(this.nowMs);
    const { entry, head } = chainEntry(
      this.head(request.accountId),
      chargeEntry(entryId, request, charge),
      toIso(this.nowMs),
    );
    const { lots, burns } = burnLots(this.lots.get(request.accountId) ?? [], charge, entryId);
    this.heads.set(request.accountId, head);
    this.lots.set(request.accountId, lots);
    this.entries.push(entry);
    this.burns.push(...burns);
    this.addDelta(request.accountId, -charge, 0n);
    return entryId;
  }

  private endHold(request: SettlementRequest, decision: SettlementDecision): void {
    if (decision.endHold === undefined) return;
    const hold = this.holds.get(request.billableId);
    if (hold === undefined) throw new Error(`there is no hold of ${request.billableId} to end`);
    this.holdEnds.push({ billableId: request.billableId, state: decision.endHold, captured: decision.charge });
    this.addDelta(hold.accountId, 0n, -hold.amount);
    for (const budgetId of hold.budgetIds) {
      const before = this.budgetDeltas.get(budgetId) ?? { reserved: 0n, spent: 0n };
      const spent = before.spent + decision.charge;
      this.budgetDeltas.set(budgetId, { reserved: before.reserved - hold.amount, spent });
    }
  }

  private addDelta(accountId: AccountId, balance: bigint, held: bigint): void {
    const before = this.deltas.get(accountId) ?? { balance: 0n, held: 0n };
    this.deltas.set(accountId, { balance: before.balance + balance, held: before.held + held });
  }

  private head(accountId: AccountId): LedgerHead {
    const head = this.heads.get(accountId);
    if (head === undefined) throw new Error(`the head of ${accountId} is not locked`);
    return head;
  }
}

function settlementFact(
  request: SettlementRequest,
  decision: SettlementDecision,
  ledgerEntryId: string | null,
  settlementSeq: bigint,
  nowMs: number,
): UsageSettled {
  const { end } = request;
  return {
    sourceRefType: isBilledSearch(request.billableId) ? 'search' : 'execution',
    sourceRefId: request.billableId,
    ...(isBilledSearch(request.billableId) ? {} : { executionId: request.billableId }),
    usageEventId: usageEventIdOf(request.billableId),
    accountId: request.accountId,
    ...(end.accountKind === undefined ? {} : { accountKind: end.accountKind }),
    settlementSeq: Number(settlementSeq),
    eventType: end.eventType,
    ...(end.toolId === undefined ? {} : { toolId: end.toolId }),
    ...(end.searchId !== undefined && isSearchId(end.searchId) ? { searchId: end.searchId } : {}),
    success: end.success,
    reasonCode: end.reasonCode,
    status: decision.status,
    ...(end.audited ? {} : { audited: false as const }),
    requestedMicroCredits: request.requested.toString(),
    settledMicroCredits: decision.charge.toString(),
    ...(ledgerEntryId === null ? {} : { ledgerEntryId }),
    effectiveAt: end.completedAt,
    settledAt: toIso(nowMs),
  };
}
