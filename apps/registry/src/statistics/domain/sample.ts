import { toolVerdict, type EventEnvelope, type ExecutionCompleted } from '@capability-router/contracts';
import { isExecutionId, type ExecutionId } from '@capability-router/kernel';

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

/**
 * The evidence of an event about a tool; undefined where it has none. Only a dispatched call of one tool counts: a refused
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
  const verdict = toolVerdict(outcome.reasonCode, outcome.callerFault);
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
