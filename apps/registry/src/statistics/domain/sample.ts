import {
  toolVerdict,
  VERIFICATION_ACCOUNT_ID,
  type Blame,
  type EventEnvelope,
  type ExecutionCompleted,
} from '@capability-router/contracts';
import { isExecutionId, type ExecutionId } from '@capability-router/kernel';

/** One call, or one attempt of a query, that tells how a tool works. */
export interface Sample {
  readonly executionId: ExecutionId;
  /** Unique for the attempt: an event that comes twice gives the same. */
  readonly key: string;
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
 * The evidence of an event about tools, each attempt of a query of a capability for itself. Only what was dispatched counts: a refused
 * call never reached its tool, an interrupted one lost its runner and not its tool, and a cached answer did not ask it.
 */
export function samplesOf(event: EventEnvelope): Sample[] {
  if (event.type !== 'ExecutionCompleted') return [];
  const end = event.data as unknown as ExecutionCompleted;
  const { executionId, accountId, eventType, toolId, outcome, durationMs, attempts = [] } = end;
  // The deployment's own examples would drown what callers see of a tool that is rarely called.
  if (accountId === VERIFICATION_ACCOUNT_ID) return [];
  const completedAtMs = Date.parse(end.completedAt);
  const isCached = end.servedFromCache === true;
  const sampleOf = (key: string, tool: string, seen: Seen): Sample[] => {
    const verdict = toolVerdict(seen.reason, seen.blame);
    // An event that no consumer could ever count must not park the events behind it.
    if (verdict === 'neither' || !isExecutionId(executionId) || !Number.isFinite(seen.durationMs)) return [];
    const duration = Math.max(0, Math.round(seen.durationMs));
    return [
      {
        executionId,
        key,
        accountId,
        toolId: tool,
        success: verdict === 'success',
        durationMs: duration,
        completedAtMs,
      },
    ];
  };
  if (eventType === 'tool_execute') {
    if (toolId === undefined || isCached) return [];
    return sampleOf(executionId, toolId, { reason: outcome.reasonCode, blame: outcome, durationMs });
  }
  return attempts.flatMap((attempt, position) => {
    const { toolId: tried, status, reason, durationMs: took = 0 } = attempt;
    return status === 'skipped' || (status === 'served' && isCached)
      ? []
      : sampleOf(`${executionId}#${position}`, tried, { reason, blame: attempt, durationMs: took });
  });
}

/** The sample that one attempt gives. */
interface Seen {
  readonly reason: string;
  readonly blame: Blame;
  readonly durationMs: number;
}
