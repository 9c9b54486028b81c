import type { KnownVerification } from './known-verification.js';

export interface DuePolicy {
  /** Milliseconds; 0: only what was asked for, until it is judged. */
  readonly intervalMs: number;
  readonly nowMs: number;
  /** Tools that are due by time, at most; all that were asked for come before them. */
  readonly limit: number;
  /** 0 to 1. */
  readonly random: () => number;
}

/** A published tool, as far as its next run depends on it. */
export interface VerifiableTool {
  readonly toolId: string;
  readonly version: number;
  /** May its examples be run when nobody asks for it? */
  readonly runsExamples: boolean;
}

/** Tools that were asked for in one round, at most. */
const MAX_REQUESTED = 32;

/**
 * The tools to verify now. Those that are due by time are taken from anywhere among them, so that replicas begin with
 * different ones.
 */
export function dueTools(
  tools: Iterable<VerifiableTool>,
  known: (toolId: string) => KnownVerification | undefined,
  { intervalMs, nowMs, limit, random }: DuePolicy,
): VerifiableTool[] {
  const [requested, due]: [VerifiableTool[], VerifiableTool[]] = [[], []];
  let seen = 0;
  for (const tool of tools) {
    const state = known(tool.toolId);
    if (state !== undefined && state.claimedUntilMs > nowMs) continue;
    if (state?.requested === true) {
      if (requested.length < MAX_REQUESTED) requested.push(tool);
      continue;
    }
    // A run that could judge nothing, or whose replica is gone, is owed to whoever asked for it, also where there is no schedule.
    const isLeft = state?.isUnjudged === true || (state?.claimedUntilMs ?? 0) > 0;
    const isOwed = isLeft || (intervalMs > 0 && tool.runsExamples);
    if (!isOwed || !isDue(tool, state, nowMs)) continue;
    // A sample of them all, each as likely as any other, however many there are.
    seen += 1;
    if (due.length < limit) due.push(tool);
    else {
      const place = Math.floor(random() * seen);
      if (place < limit) due[place] = tool;
    }
  }
  return [...requested, ...due];
}

const isDue = ({ version }: VerifiableTool, state: KnownVerification | undefined, nowMs: number): boolean =>
  state === undefined || state.triedVersion !== version || state.nextDueMs <= nowMs;
