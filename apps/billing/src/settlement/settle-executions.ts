import { appendBatch } from '@capability-router/event-store';
import {
  topicNames,
  type EventEnvelope,
  type ExecutionOutcomeRevised,
  type UsageSettled,
} from '@capability-router/contracts';
import { toIso, type Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { applyBudgetDeltas, type BudgetDelta } from '../budgets/budget-deltas.sql.js';
import { AllowanceDeltas, applyAllowanceDeltas } from '../daily-free/allowance-deltas.sql.js';
import { Posting } from '../ledger/posting/posting.js';
import { queueRevised, revisionsOf } from '../revisions/revised-outcomes.sql.js';
import { chargeMovement } from './domain/charge-movement.js';
import { coveredBy, decideSettlement, type HoldFound, type SettlementDecision } from './domain/decide-settlement.js';
import { requestSettlement, type SettlementRequest } from './domain/request-settlement.js';
import { settlementFact } from './domain/settlement-fact.js';
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
  const posting = await Posting.open(
    tx,
    requests.map((request) => request.accountId),
    clock,
  );
  const settled = await alreadySettled(
    tx,
    requests.map((request) => request.billableId),
  );
  const open = requests.filter((request) => !settled.has(request.billableId));
  if (open.length === 0) return queueRevised(tx, revisions, toIso(posting.nowMs));
  const holds = await lockHolds(
    tx,
    open.map((request) => request.billableId),
  );
  const decided = open.map((request) => ({
    request,
    decision: decideSettlement(request, holds.get(request.billableId)),
  }));
  // Credits that a hold gives back may have expired meanwhile, so that an end that burns nothing may have to look at
  // the lots as well.
  const ending = new Set(
    decided.filter(({ decision }) => decision.endHold !== undefined).map(({ request }) => request.accountId),
  );
  await posting.readLots(ending);
  const batch = new SettlementBatch(posting, holds);
  for (const { request, decision } of decided) batch.settle(request, decision);
  // Credits of expired lots that open holds kept lapse with the holds. At least as much as they gave back is available
  // now, whatever else was held meanwhile; the rest, if there is any, is for the expiry job.
  for (const accountId of ending) posting.lapse(accountId, posting.freed(accountId));
  await batch.write(tx, revisions);
}

/** A batch can hold the same event twice after a redelivery. */
function firstOfEach(requests: readonly SettlementRequest[]): SettlementRequest[] {
  return [...new Map([...requests].reverse().map((request) => [request.billableId, request])).values()].reverse();
}

/** Collects what a batch writes beside the ledger, so that the number of statements does not grow with it. */
class SettlementBatch {
  private readonly holdEnds: HoldEnd[] = [];
  private readonly settled: SettledRow[] = [];
  private readonly exceptions: ExceptionRow[] = [];
  private readonly facts: { readonly fact: UsageSettled; readonly traceparent: string | undefined }[] = [];
  private readonly budgetDeltas = new Map<string, BudgetDelta>();
  private readonly allowanceDeltas = new AllowanceDeltas();

  constructor(
    private readonly posting: Posting,
    private readonly holds: ReadonlyMap<string, HoldFound>,
  ) {}

  settle(request: SettlementRequest, decision: SettlementDecision): void {
    const { billableId, accountId, requested } = request;
    const { status, charge } = decision;
    const charged =
      charge > 0n ? this.posting.charge(accountId, chargeMovement(request, charge), charge).entryId : null;
    this.endHold(request, decision);
    if (decision.status !== 'settled' && decision.exception !== undefined) {
      this.exceptions.push({ billableId, accountId, kind: decision.exception, requested });
    }
    const settlementSeq = this.posting.nextSettlement(accountId);
    const covered = coveredBy(decision);
    const row = { billableId, accountId, status, requested, settled: charge, covered };
    this.settled.push({ ...row, ledgerEntryId: charged, settlementSeq });
    const fact = settlementFact(request, decision, charged, settlementSeq, this.posting.nowMs);
    this.facts.push({ fact, traceparent: request.traceparent });
  }

  async write(tx: pg.PoolClient, revisions: readonly ExecutionOutcomeRevised[]): Promise<void> {
    const now = toIso(this.posting.nowMs);
    await endHolds(tx, this.holdEnds, now);
    await insertSettled(tx, this.settled, now);
    await insertExceptions(tx, this.exceptions, now);
    await queueRevised(tx, revisions, now);
    await appendBatch(
      tx,
      'billing',
      this.facts.map(({ fact, traceparent }) => ({
        streamId: `settlements:${fact.accountId}`,
        sequence: fact.settlementSeq,
        event: {
          type: 'UsageSettled',
          topic: topicNames.usageSettlements,
          partitionKey: fact.accountId,
          data: fact,
          time: now,
          ...(traceparent === undefined ? {} : { traceparent }),
        },
      })),
    );
    await this.posting.write(async () => {
      await applyAllowanceDeltas(tx, this.allowanceDeltas.all());
      await applyBudgetDeltas(tx, this.budgetDeltas);
    });
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
    this.posting.release(hold.accountId, hold.amount);
    for (const budgetId of hold.budgetIds) {
      const before = this.budgetDeltas.get(budgetId) ?? { reserved: 0n, spent: 0n };
      const spent = before.spent + decision.charge;
      this.budgetDeltas.set(budgetId, { reserved: before.reserved - hold.amount, spent });
    }
  }
}
