import type { EventEnvelope, ExecutionCompleted, ReasonCode } from '@capability-router/contracts';
import { isExecutionId } from '@capability-router/kernel';
import type { ExecutionId } from '@capability-router/kernel';

/** One call that tells how a tool works. */
export interface Sample {
  readonly executionId: ExecutionId;
  readonly accountId: string;
  readonly toolId: string;
  readonly success: boolean;
  readonly durationMs: number;
  /** Milliseconds since the epoch. */
  readonly completedAtMs: number;
}

/** A sample of a published tool, with the provider that the catalogue names. */
export interface CountableSample extends Sample {
  readonly providerId: string;
}

/** Whether an outcome speaks for the tool, against it, or not about it at all. */
const verdicts: Readonly<Record<ReasonCode, 'success' | 'failure' | 'neither'>> = {
  'result.valid': 'success',
  'result.partial_success': 'success',
  // Whether there was anything to find lies with the parameters as often as with the tool.
  'result.empty': 'neither',
  'provider.error': 'failure',
  'provider.http_error': 'failure',
  'provider.rate_limited': 'failure',
  // The deployment's credentials are part of what callers get.
  'provider.auth_or_permission': 'failure',
  'transport.timeout': 'failure',
  'transport.no_response': 'failure',
  'transport.execution_failed': 'failure',
  validation_error: 'neither',
  tool_unavailable: 'neither',
  region_restricted: 'neither',
  oauth_signin_required: 'neither',
  insufficient_credits: 'neither',
  budget_exceeded: 'neither',
};

/**
 * What an event says about a tool; undefined where it says nothing. Only a dispatched call of one tool counts: a refused
 * call never reached it, an interrupted one lost its runner and not its tool, a cached answer did not ask it, and the
 * time of a CAP query is spent on several tools.
 */
export function sampleOf(event: EventEnvelope): Sample | undefined {
  if (event.type !== 'ExecutionCompleted') return undefined;
  const end = event.data as unknown as ExecutionCompleted;
  const { executionId, toolId, outcome, durationMs } = end;
  if (end.eventType !== 'tool_execute' || end.servedFromCache === true) return undefined;
  // An event that no consumer could ever count must not park the events behind it.
  if (toolId === undefined || !isExecutionId(executionId) || !Number.isFinite(durationMs)) return undefined;
  const verdict = verdictOf(outcome);
  if (verdict === 'neither') return undefined;
  return {
    executionId,
    accountId: end.accountId,
    toolId,
    success: verdict === 'success',
    durationMs: Math.max(0, Math.round(durationMs)),
    completedAtMs: Date.parse(end.completedAt),
  };
}

function verdictOf(outcome: ExecutionCompleted['outcome']): 'success' | 'failure' | 'neither' {
  // A reason code of a newer build is no evidence that this one could weigh.
  const verdict = verdicts[outcome.reasonCode] as 'success' | 'failure' | 'neither' | undefined;
  if (verdict === 'failure' && outcome.callerFault === true) return 'neither';
  return verdict ?? 'neither';
}
