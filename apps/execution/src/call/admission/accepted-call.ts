import type { ExecutionStarted, ToolContract } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import { boundedRequest } from '../../payloads/bounded-payload.js';
import type { Call } from '../request/domain/call.js';
import type { ExecuteRequest } from '../request/execute-request.js';
import { planOf, type Plan, type PlanLimits } from './domain/plan.js';

/** A call that passed every check that needs no other service. */
export interface AcceptedCall extends Call {
  readonly request: Pick<ExecuteRequest, 'sessionId' | 'maxResponseBytes' | 'projection' | 'cacheMode'>;
  readonly plan: Plan;
  readonly started: ExecutionStarted;
  /** JSON. It is made before anything runs, so that nothing which depends on the caller's text is left to fail afterwards. */
  readonly requestPayload: string;
  readonly startedMs: number;
}

/** A Call of one tool; undefined where it may cost more than it may. */
export function acceptCall(
  call: Call,
  startedMs: number,
  request: ExecuteRequest,
  tool: ToolContract,
  limits: Pick<PlanLimits, 'maxCost'>,
): AcceptedCall | undefined {
  const { parameters } = request;
  const subject = { executionId: call.executionId, assertion: call.assertion, partial: request };
  const plan = planOf(subject, [{ position: 0, tool, parameters }], {
    ...limits,
    deadlineMs: tool.timeoutMs,
    repeatable: false,
  });
  return plan === undefined ? undefined : accept(call, startedMs, request, plan);
}

/** Puts together what is to be recorded and held for a plan. */
export function accept(call: Call, startedMs: number, request: AcceptedCall['request'], plan: Plan): AcceptedCall {
  const { facts } = plan.attempts[0];
  const started = { ...facts, startedAt: toIso(startedMs), deadlineAt: toIso(startedMs + plan.deadlineMs) };
  return { ...call, request, plan, started, requestPayload: requestPayloadOf(call), startedMs };
}

export const requestPayloadOf = (call: Call): string => boundedRequest(call.raw.body ?? null);
