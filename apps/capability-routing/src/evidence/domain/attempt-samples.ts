import {
  toolVerdict,
  VERIFICATION_ACCOUNT_ID,
  type AttemptFact,
  type Blame,
  type EventEnvelope,
  type ExecutionCompleted,
} from '@capability-router/contracts';

/** One call of a tool that says how it works. */
export interface AttemptSample {
  /** Unique for the call among those of its tool: an event that comes twice gives the same. */
  readonly key: string;
  readonly accountId: string;
  readonly toolId: string;
  readonly success: boolean;
  /** Milliseconds. */
  readonly durationMs: number;
  /** Milliseconds since the epoch; when the call, or the attempt, ended. */
  readonly atMs: number;
}

/**
 * The samples about tools that the end of an execution gives, one for each attempt of a query. Refused and interrupted executions say nothing,
 * nor does an answer from a cache, nor an attempt that was given up because the one beside it served: how long it would have taken is
 * not known.
 */
export function attemptSamplesOf(event: EventEnvelope): AttemptSample[] {
  if (event.type !== 'ExecutionCompleted') return [];
  const end = event.data as unknown as ExecutionCompleted;
  const { executionId, accountId, eventType, toolId, outcome, durationMs, attempts = [] } = end;
  // A verification says what it found by itself, and calls that are meant to be refused are no failures.
  if (accountId === VERIFICATION_ACCOUNT_ID) return [];
  const completedMs = Date.parse(end.completedAt);
  const sampleOf = (key: string, tool: string, { reason, blame, took, atMs }: Seen): AttemptSample[] => {
    const verdict = toolVerdict(reason, blame);
    // An event that could never be counted must not park the events behind it.
    if (verdict === 'neither' || !Number.isFinite(took) || !Number.isFinite(atMs)) return [];
    const duration = Math.max(0, Math.round(took));
    return [{ key, accountId, toolId: tool, success: verdict === 'success', durationMs: duration, atMs }];
  };
  if (eventType === 'tool_execute') {
    if (toolId === undefined || end.servedFromCache === true) return [];
    return sampleOf(executionId, toolId, {
      reason: outcome.reasonCode,
      blame: outcome,
      took: durationMs,
      atMs: completedMs,
    });
  }
  const endsMs = endsOf(attempts, completedMs);
  return attempts.flatMap((attempt, position) => {
    const { toolId: tried, status, reason, durationMs: took = 0 } = attempt;
    return status === 'skipped' || status === 'abandoned' || (status === 'served' && end.servedFromCache === true)
      ? []
      : sampleOf(`${executionId}#${position}`, tried, {
          reason,
          blame: attempt,
          took,
          atMs: endsMs[position] ?? completedMs,
        });
  });
}

/**
 * When each attempt ended, in milliseconds since the epoch. They followed one another, and the execution ended with the last of them. Where one
 * began beside the one before it, both are taken to have ended together, as they do where either serves; but it began no sooner.
 */
function endsOf(attempts: readonly AttemptFact[], completedMs: number): number[] {
  let beforeMs = 0;
  let overMs = 0;
  const ends = attempts.map(({ status, hedge, durationMs = 0 }) => {
    if (status === 'skipped') return overMs;
    const startMs = hedge === true ? Math.max(beforeMs, overMs - durationMs) : overMs;
    beforeMs = startMs;
    overMs = Math.max(overMs, startMs + durationMs);
    return startMs + durationMs;
  });
  return ends.map((endMs) => completedMs - overMs + endMs);
}

interface Seen {
  readonly reason: string;
  readonly blame: Blame;
  readonly took: number;
  readonly atMs: number;
}
