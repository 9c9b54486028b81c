import { appendBatch } from '@capability-router/event-store';
import {
  topicNames,
  type EventEnvelope,
  type ExecutionOutcomeRevised,
  type UsageSettled,
} from '@capability-router/contracts';
import {
  isSearchId,
  newLedgerEntryId,
  toIso,
  usageEventIdOf,
  ZERO_CREDITS,
  type AccountId,
  type Clock,
  type Credits,
  type LedgerEntryId,
} from '@capability-router/kernel';
import type pg from 'pg';
import { applyBudgetDeltas, type BudgetDelta } from '../budgets/budget-deltas.sql.js';
import { AllowanceDeltas, applyAllowanceDeltas } from '../daily-free/allowance-deltas.sql.js';
import { expiryEntry } from '../expiry/expiry-entry.js';
import { isBilledSearch } from '../holds/billable-id.js';
import { applyBalanceDeltas, type BalanceDelta } from '../ledger/balances.sql.js';
import { chainEntry, type LedgerEntry, type LedgerHead, type PendingEntry } from '../ledger/entry.js';
import { lockHeads, saveHeads } from '../ledger/heads.js';
import { insertEntries } from '../ledger/insert-entries.js';
import { loadLots, writeBurns } from '../ledger/lots.sql.js';
import { burnLots, lapsedLots, type Lot, type LotBurn } from '../ledger/lots.js';
import { queueRevised, revisionsOf } from '../revisions/revised-outcomes.js';
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
  const revisions = revisionsOf(events);
  if (requests.length === 0) return queueRevised(tx, revisions, toIso(clock.nowMs()));
  const heads = await lockHeads(
    tx,
    requests.map((request) => request.accountId),
  );
  const settled = await alreadySettled(
    tx,
    requests.map((request) => request.billableId),
  );
  const open = requests.filter((request) => !settled.has(request.billableId));
  if (open.length === 0) return queueRevised(tx, revisions, toIso(clock.nowMs()));
  const holds = await lockHolds(
    tx,
    open.map((request) => request.billableId),
  );
  const decided = open.map((request) => ({
    request,
    decision: decideSettlement(request, holds.get(request.billableId)),
  }));
  // What a hold gives back may have expired meanwhile, so that what burns nothing may have to look at the lots as well.
  const ending = new Set(
    decided.filter(({ decision }) => decision.endHold !== undefined).map(({ request }) => request.accountId),
  );
  const lots = await loadLots(tx, [...ending]);
  const batch = new SettlementBatch(heads, lots, holds, clock.nowMs());
  for (const { request, decision } of decided) batch.settle(request, decision);
  batch.bookLapsed();
  await batch.write(tx, revisions);
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
  private readonly allowanceDeltas = new AllowanceDeltas();

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
      covered: coveredBy(decision),
      ledgerEntryId,
      settlementSeq,
    });
    this.facts.push(settlementFact(request, decision, ledgerEntryId, settlementSeq, this.nowMs));
  }

  /**
   * What open holds kept of expired lots lapses with them. At least as much as they gave back is available now, whatever
   * else was held meanwhile; the rest, if there is any, is for the expiry job.
   */
  bookLapsed(): void {
    for (const [accountId, lots] of this.lots) {
      const { balance, held } = this.deltas.get(accountId) ?? { balance: 0n, held: 0n };
      for (const lapsed of lapsedLots(lots, this.nowMs, (balance - held) as Credits)) {
        const entryId = newLedgerEntryId(this.nowMs);
        this.book(accountId, { ...expiryEntry(lapsed, this.nowMs), entryId, amount: -lapsed.amount as Credits });
        this.burns.push({ ledgerEntryId: entryId, lotId: lapsed.lot.lotId, amount: lapsed.amount });
      }
    }
  }

  async write(tx: pg.PoolClient, revisions: readonly ExecutionOutcomeRevised[]): Promise<void> {
    const now = toIso(this.nowMs);
    await endHolds(tx, this.holdEnds, now);
    await insertEntries(tx, this.entries);
    await writeBurns(tx, this.burns);
    await insertSettled(tx, this.settled, now);
    await insertExceptions(tx, this.exceptions, now);
    await queueRevised(tx, revisions, now);
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
    await applyAllowanceDeltas(tx, this.allowanceDeltas.all());
    await applyBudgetDeltas(tx, this.budgetDeltas);
    await applyBalanceDeltas(tx, this.deltas, { create: false });
  }

  private charge(request: SettlementRequest, charge: Credits): LedgerEntryId {
    const entryId = newLedgerEntryId(this.nowMs);
    this.book(request.accountId, chargeEntry(entryId, request, charge));
    const { lots, burns } = burnLots(this.lots.get(request.accountId) ?? [], charge, entryId);
    this.lots.set(request.accountId, lots);
    this.burns.push(...burns);
    return entryId;
  }

  private book(accountId: AccountId, pending: PendingEntry): void {
    const { entry, head } = chainEntry(this.head(accountId), pending, toIso(this.nowMs));
    this.heads.set(accountId, head);
    this.entries.push(entry);
    this.addDelta(accountId, pending.amount, 0n);
  }

  private endHold(request: SettlementRequest, decision: SettlementDecision): void {
    if (decision.endHold === undefined) return;
    const hold = this.holds.get(request.billableId);
    if (hold === undefined) throw new Error(`there is no hold of ${request.billableId} to end`);
    this.holdEnds.push({ billableId: request.billableId, state: decision.endHold, captured: decision.charge });
    if (hold.allowanceDay !== null) {
      const { accountId, allowanceDay: day } = hold;
      this.allowanceDeltas.add({ accountId, day, reserved: -hold.amount, used: coveredBy(decision) });
      return;
    }
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

const coveredBy = (decision: SettlementDecision): Credits =>
  (decision.status === 'not_applicable' ? decision.covered : undefined) ?? ZERO_CREDITS;

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
    ...(end.outcome === undefined ? {} : { outcome: end.outcome }),
    reasonCode: end.reasonCode,
    chargeOutcome: end.success ? (decision.charge > 0n ? 'charged' : 'included') : 'failed_not_charged',
    status: decision.status,
    ...(end.audited ? {} : { audited: false as const }),
    requestedMicroCredits: request.requested.toString(),
    settledMicroCredits: decision.charge.toString(),
    ...(coveredBy(decision) === 0n ? {} : { coveredMicroCredits: coveredBy(decision).toString() }),
    ...(ledgerEntryId === null ? {} : { ledgerEntryId }),
    effectiveAt: end.completedAt,
    settledAt: toIso(nowMs),
  };
}
