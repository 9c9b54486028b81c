import {
  DEFAULT_PLAN_DEADLINE_MS,
  MAX_PLAN_DEADLINE_MS,
  MAX_PLANNED_ATTEMPTS,
  resultFieldsOf,
  type CapabilityContract,
  type PlannedAttempt,
  type RunPlanRequest,
} from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import type { RoutingDecision } from '../routing/index.js';
import type { CapabilityQuery } from './capability-query.request.js';
import type { Offer } from './offers.js';

/** Bytes up to which a plan has more attempts than one; the first is in it however large the query is. */
const MAX_PLAN_BYTES = 1_000_000;
/** A plan has at least so many times the p95 of the attempt that is tried first. */
const TIME_ROOM = 1.5;

export interface PlanGround {
  readonly contract: CapabilityContract;
  readonly query: CapabilityQuery;
  readonly offers: readonly Offer[];
  readonly decision: RoutingDecision;
  /** The caller's body. */
  readonly request: JsonObject;
  readonly idempotencyKey: string | undefined;
  /** The explanation of the decision, as the answer shows it. */
  readonly routing: JsonObject;
}

/** The plan that follows from a decision. */
export function planOf(ground: PlanGround): RunPlanRequest {
  const { contract, query, idempotencyKey, request, routing } = ground;
  const { capabilityId, contractVersion, schemaHash, effect } = contract;
  const ranked = attemptsOf(ground);
  const plan = {
    capability: { capabilityId, contractVersion, schemaHash },
    fields: resultFieldsOf(contract.resultSchema),
    deadlineMs: deadlineFor(ranked[0]),
    // A capability whose effect is not known may be unsafe.
    repeatable: effect === 'read_only' || effect === 'idempotent',
    ...(effect === 'read_only' ? { readOnly: true } : {}),
    ...(query.maxCredits === undefined ? {} : { maxMicroCredits: query.maxCredits.toString() }),
    ...(query.maxResponseSize === undefined ? {} : { maxResponseSize: query.maxResponseSize }),
    request,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    answer: { parameters: query.parameters, routing },
  };
  return { ...plan, attempts: fitting(ranked, MAX_PLAN_BYTES - bytesOf(plan)) };
}

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

/** Milliseconds. A tool that is known to be slow has the time that it takes. */
function deadlineFor(first: PlannedAttempt | undefined): number {
  const wantedMs = Math.ceil((first?.expectedMs ?? 0) * TIME_ROOM);
  return Math.min(MAX_PLAN_DEADLINE_MS, Math.max(DEFAULT_PLAN_DEADLINE_MS, wantedMs));
}

/** In the order of the decision, as many as one plan takes; the cheapest is among them, for an account that cannot pay the others. */
function attemptsOf({ offers, decision: { candidates } }: PlanGround): PlannedAttempt[] {
  const byTool = new Map(offers.map(({ candidate, attempt }) => [candidate.toolId, attempt]));
  const planned = candidates.slice(0, MAX_PLANNED_ATTEMPTS);
  const cheapest = candidates.reduce((least, one) => (one.upperPrice < least.upperPrice ? one : least));
  if (!planned.includes(cheapest)) planned.splice(-1, 1, cheapest);
  return planned.flatMap(({ toolId }) => byTool.get(toolId) ?? []);
}

/** The first, and those behind it for which there is room. */
function fitting(attempts: readonly PlannedAttempt[], maxBytes: number): PlannedAttempt[] {
  let bytes = 0;
  return attempts.filter((attempt, index) => {
    bytes += bytesOf(attempt);
    return index === 0 || bytes <= maxBytes;
  });
}
