import type { ToolContract } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import { upperBound } from '@capability-router/tool-calls';
import { boundedRequest } from '../../payloads/bounded-payload.js';
import type { AcceptedCall, Call } from '../request/call.js';
import { MAX_CALL_DEADLINE_MS } from '../deadlines.js';
import type { ExecuteRequest } from '../request/execute-request.js';
import { factsOf } from './execution-facts.js';
import type { Payloads } from '../journal/execution-journal.js';

/** What is to be recorded and held for a call that passed every check. */
export function acceptCall(call: Call, startedMs: number, request: ExecuteRequest, tool: ToolContract): AcceptedCall {
  const { executionId, assertion } = call;
  const bound = upperBound(tool.price, request.parameters);
  const deadlineMs = Math.min(tool.timeoutMs, MAX_CALL_DEADLINE_MS);
  const facts = factsOf({ executionId, assertion, partial: request, tool, parameters: request.parameters, bound });
  const started = { ...facts, startedAt: toIso(startedMs), deadlineAt: toIso(startedMs + deadlineMs) };
  // Nothing that depends on the caller's text is left to fail once the tool has run.
  const payloads = payloadsOf(call);
  return { ...call, request, tool, bound, facts, started, payloads, startedMs, deadlineMs };
}

export const payloadsOf = (call: Call): Payloads => ({ request: boundedRequest(call.raw.body ?? null) });
