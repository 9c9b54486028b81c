import {
  DEFAULT_PLAN_DEADLINE_MS,
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

/** Characters of the attempts of one plan: with the request itself, it stays below what execution takes. */
const MAX_ATTEMPTS_SIZE = 400_000;

export interface PlanGround {
  readonly contract: CapabilityContract;
  readonly query: CapabilityQuery;
  readonly offers: readonly Offer[];
  readonly decision: RoutingDecision;
  /** The caller's body. */
  readonly request: JsonObject;
  readonly idempotencyKey: string | undefined;
  /** What routing tells of its decision. */
  readonly routing: JsonObject;
}

/** The plan that follows from a decision. */
export function planOf(ground: PlanGround): RunPlanRequest {
  const { contract, query, idempotencyKey, request, routing } = ground;
  const { capabilityId, contractVersion, schemaHash, effect } = contract;
  return {
    capability: { capabilityId, contractVersion, schemaHash },
    attempts: attemptsOf(ground),
    fields: resultFieldsOf(contract.resultSchema),
    deadlineMs: DEFAULT_PLAN_DEADLINE_MS,
    // What is not known may be unsafe.
    repeatable: effect === 'read_only' || effect === 'idempotent',
    ...(query.maxCredits === undefined ? {} : { maxMicroCredits: query.maxCredits.toString() }),
    ...(query.maxResponseSize === undefined ? {} : { maxResponseSize: query.maxResponseSize }),
    request,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    answer: { parameters: query.parameters, routing },
  };
}

/** In the order of the decision: the first, and as many more as one plan takes. */
function attemptsOf({ offers, decision }: PlanGround): PlannedAttempt[] {
  const byTool = new Map(offers.map(({ candidate, attempt }) => [candidate.toolId, attempt]));
  const attempts = decision.candidates.flatMap(({ toolId }) => byTool.get(toolId) ?? []);
  let size = 0;
  return attempts.slice(0, MAX_PLANNED_ATTEMPTS).filter((attempt, index) => {
    size += JSON.stringify(attempt).length;
    return index === 0 || size <= MAX_ATTEMPTS_SIZE;
  });
}
