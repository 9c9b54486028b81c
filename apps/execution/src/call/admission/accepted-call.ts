import type { ExecutionStarted, ToolContract } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import { boundedRequest } from '../../payloads/bounded-payload.js';
import { MAX_CALL_DEADLINE_MS } from '../deadlines.js';
import type { Call } from '../request/call.js';
import type { ExecuteRequest } from '../request/execute-request.js';
import { planOf, type Plan } from './plan.js';

/** A call that passed every check that needs no other service. */
export interface AcceptedCall extends Call {
  readonly request: Pick<ExecuteRequest, 'sessionId' | 'maxResponseBytes' | 'projection' | 'cacheMode'>;
  readonly plan: Plan;
  readonly started: ExecutionStarted;
  /** JSON. It is made before anything runs, so that nothing which depends on the caller's text is left to fail afterwards. */
  readonly requestPayload: string;
  readonly startedMs: number;
}

/** A Call of one tool. */
export function acceptCall(call: Call, startedMs: number, request: ExecuteRequest, tool: ToolContract): AcceptedCall {
  const { parameters } = request;
  const deadlineMs = Math.min(tool.timeoutMs, MAX_CALL_DEADLINE_MS);
  const subject = { executionId: call.executionId, assertion: call.assertion, partial: request };
  return accept(call, startedMs, request, planOf(subject, [{ tool, parameters }], { deadlineMs, mayRepeat: false }));
}

/** What is to be recorded and held for a plan. */
export function accept(call: Call, startedMs: number, request: AcceptedCall['request'], plan: Plan): AcceptedCall {
  const { facts } = plan.attempts[0];
  const started = { ...facts, startedAt: toIso(startedMs), deadlineAt: toIso(startedMs + plan.deadlineMs) };
  return { ...call, request, plan, started, requestPayload: requestPayloadOf(call), startedMs };
}

export const requestPayloadOf = (call: Call): string => boundedRequest(call.raw.body ?? null);
