import type {
  AttemptFact,
  AttemptReport,
  ExecutionOutcome,
  PlannedCapability,
  SkipReason,
} from '@capability-router/contracts';
import { isJsonObject, type JsonObject } from '@capability-router/kernel';
import type { Plan } from '../../admission/domain/plan.js';
import type { ExecutionEnd } from '../../journal/domain/execution-end.js';
import type { Ran, RanAttempt } from '../../outcome/domain/ran.js';
import type { Call, Skipped } from '../../request/domain/call.js';
import type { ExecuteAnswer } from './execute-answer.js';

type Planned = Pick<Call, 'query'> & { readonly plan?: Plan };

/** The end of a query says what became of each attempt. A Call's end stays as it is. */
export function withAttempts(end: ExecutionEnd, call: Planned, ran: Ran): ExecutionEnd {
  if (call.query === undefined) return end;
  const providers = new Map(call.plan?.attempts.map(({ position, tool }) => [position, tool.providerId]));
  const attempts = call.query.asked.map(({ toolId, toolVersion }, position): AttemptFact => {
    const providerId = providers.get(position);
    const named = { toolId, toolVersion, ...(providerId === undefined ? {} : { providerId }) };
    const one = ran.ran.find(({ attempt }) => attempt.position === position);
    const hedge = hedgeMark(ran, position);
    if (ran.abandoned?.attempt.position === position) {
      const { attempt, elapsedMs } = ran.abandoned;
      const forgone = { forgoneMicroCredits: attempt.bound.toString() };
      return { ...named, status: 'abandoned', ...hedge, reason: 'not_needed', durationMs: elapsedMs, ...forgone };
    }
    const sent = one === undefined ? undefined : outcomeOf(one, end.data.success);
    if (one === undefined || sent === undefined) {
      return { ...named, status: 'skipped', reason: skippedOf(call, ran, position).reason };
    }
    const { outcome, status } = sent;
    return {
      ...named,
      status,
      ...hedge,
      reason: outcome?.reasonCode ?? 'transport.execution_failed',
      ...(outcome?.callerFault === undefined ? {} : { callerFault: outcome.callerFault }),
      ...(outcome === undefined || outcome.ours === true ? { ours: true } : {}),
      durationMs: one.elapsedMs,
    };
  });
  return { ...end, data: { ...end.data, attempts } };
}

/** The answer to a query is that to a Call, and says beside it which capability it is of and what became of each attempt. */
export function capabilityAnswer(answer: ExecuteAnswer, call: Planned, ran: Ran): ExecuteAnswer {
  const { query } = call;
  if (query === undefined) return answer;
  const isSuccess = answer.body['success'] === true;
  const attempts = query.asked.map((_asked, position) => reportOf(call, ran, position, isSuccess));
  const { routing = {}, parameters } = query.answer;
  return composed(answer, query.capability, attempts, { routing, ...(parameters === undefined ? {} : { parameters }) });
}

/**
 * The same from what the end has on record, for whoever asks later: what routing decided for the query is not among it. The answer to
 * a Call stays as it is.
 */
export function recordedAnswer(answer: ExecuteAnswer, end: ExecutionEnd['data']): ExecuteAnswer {
  const { eventType, capabilityId = '', attempts = [], success } = end;
  if (eventType !== 'capabilities_query') return answer;
  return composed(
    answer,
    // The record has no hash of the contract, and its version is not told alone.
    { capabilityId },
    attempts.map((attempt) => recordedReport(attempt, success)),
    { routing: {} },
  );
}

function composed(
  answer: ExecuteAnswer,
  { capabilityId, contractVersion, schemaHash }: PlannedCapability,
  attempts: readonly AttemptReport[],
  { routing, parameters }: { readonly routing: JsonObject; readonly parameters?: JsonObject },
): ExecuteAnswer {
  const { execution_id: executionId, result, ...rest } = answer.body;
  const chosen = attempts.find(({ status }) => status === 'served')?.tool_id ?? null;
  const body: JsonObject = {
    execution_id: executionId ?? null,
    capability_id: capabilityId,
    ...(contractVersion === undefined ? {} : { contract_version: contractVersion }),
    ...(schemaHash === undefined ? {} : { schema_hash: schemaHash }),
    result: answer.httpStatus < 400 && isJsonObject(result) ? { status_code: statusOf(answer.body), ...result } : {},
    ...rest,
    credits_used: answer.body['cost'] ?? 0,
    ...(parameters === undefined ? {} : { parameters }),
    routing: { ...routing, chosen, attempts: attempts.map((report) => ({ ...report })) },
  };
  return { ...answer, body };
}

function recordedReport(
  { toolId, toolVersion, status, reason, durationMs = 0, hedge }: AttemptFact,
  isSuccess: boolean,
): AttemptReport {
  const named = { tool_id: toolId, tool_version: toolVersion };
  if (status === 'skipped') return { ...named, status, reason: reason as SkipReason };
  const mark = hedge === undefined ? {} : { hedge };
  if (status === 'abandoned') return { ...named, ...abandonedReport(durationMs), ...mark };
  const outcome =
    outcomeOfReason[reason] ?? (reason.startsWith('provider.') ? 'provider_failure' : 'transport_failure');
  // Builds before this one recorded that an attempt served where its end was lost.
  const told = status === 'served' && !isSuccess ? 'failed' : status;
  return { ...named, status: told, outcome, reason, elapsed_time_ms: durationMs, ...mark };
}

const outcomeOfReason: Readonly<Record<string, string>> = {
  'result.valid': 'success',
  'result.partial_success': 'partial_success',
  'result.empty': 'empty_result',
};

/** The status that the provider answered, or that a gateway would have answered in its place. */
function statusOf({ success, execution_outcome: outcome }: JsonObject): number {
  if (success === true || !isJsonObject(outcome)) return 200;
  const status = outcome['provider_status_code'];
  if (typeof status === 'number') return status;
  return outcome['reason_code'] === 'transport.timeout' ? 504 : 502;
}

function reportOf(call: Planned, ran: Ran, position: number, isSuccess: boolean): AttemptReport {
  const { toolId, toolVersion } = call.query?.asked[position] ?? { toolId: '', toolVersion: 0 };
  const named = { tool_id: toolId, tool_version: toolVersion };
  const hedge = hedgeMark(ran, position);
  if (ran.abandoned?.attempt.position === position) {
    return { ...named, ...abandonedReport(ran.abandoned.elapsedMs), ...hedge };
  }
  const one = ran.ran.find(({ attempt }) => attempt.position === position);
  const sent = one === undefined ? undefined : outcomeOf(one, isSuccess);
  if (one === undefined || sent === undefined) {
    const { reason, message } = skippedOf(call, ran, position);
    return { ...named, status: 'skipped', reason, ...(message === undefined ? {} : { message }) };
  }
  const { outcome, status, message } = sent;
  return {
    ...named,
    status,
    outcome: outcome?.outcome ?? 'interrupted',
    reason: outcome?.reasonCode ?? 'transport.execution_failed',
    elapsed_time_ms: one.elapsedMs,
    ...(message === undefined ? {} : { message }),
    ...hedge,
  };
}

const hedgeMark = ({ hedge }: Ran, position: number): { readonly hedge?: true } =>
  hedge?.position === position ? { hedge: true } : {};

const abandonedReport = (elapsedMs: number) =>
  ({
    status: 'abandoned',
    reason: 'not_needed',
    elapsed_time_ms: elapsedMs,
    message: 'It was not waited for, because the attempt beside it served first. It is not charged.',
  }) as const;

interface Sent {
  readonly status: 'served' | 'failed';
  /** Absent where the fault is ours. */
  readonly outcome: ExecutionOutcome | undefined;
  readonly message?: string;
}

/** Undefined where nothing was sent. What its provider served does not count where the end of the query is no success. */
function outcomeOf(one: RanAttempt, isSuccess: boolean): Sent | undefined {
  if ('refused' in one) return undefined;
  if ('thrown' in one) return { status: 'failed', outcome: undefined };
  const { success, outcome, errorMessage } = one.obtained.classified;
  if (success) return isSuccess ? { status: 'served', outcome } : { status: 'failed', outcome: undefined };
  return { status: 'failed', outcome, message: errorMessage ?? outcome.userMessage };
}

const reasonsNotSent = {
  unavailable: 'breaker_open',
  signin_required: 'signin_required',
  invalid_parameters: 'invalid_parameters',
} as const satisfies Record<string, SkipReason>;

/** Gives the reason why nothing was sent by the attempt at that position. */
function skippedOf({ query, plan }: Planned, ran: Ran, position: number): Skipped {
  const before = query?.skipped.get(position);
  if (before !== undefined) return before;
  // The account has less than it may cost, so it is not in what was left of the plan.
  if (plan !== undefined && !plan.attempts.some((attempt) => attempt.position === position)) {
    return { reason: 'insufficient_credits' };
  }
  const one = ran.ran.find(({ attempt }) => attempt.position === position);
  if (one !== undefined && 'refused' in one) {
    return { reason: reasonsNotSent[one.refused.fault], message: one.refused.message };
  }
  return ran.skipped.get(position) ?? { reason: 'not_needed' };
}
