import type { EndedBy } from './runner.js';

export interface PoolTask {
  /** The holder of the task: those who wait take turns by holder. */
  readonly holder: string;
  readonly kind: string;
  /** Text that the module of the runners understands. */
  readonly task: string;
  /** Milliseconds from now for waiting, loading and running together. */
  readonly deadlineMs: number;
  /** Milliseconds that it may wait for a turn; the deadline where absent. */
  readonly maxWaitMs?: number;
  readonly signal?: AbortSignal;
}

export interface TaskUsage {
  /** Milliseconds from the moment when all that the task needs was loaded. */
  readonly runMs: number;
  /** Milliseconds of CPU; undefined where the machine does not tell. */
  readonly cpuMs: number | undefined;
  /** Bytes, the most that was seen of the process. */
  readonly residentBytes: number;
}

/** The service could not run the task, which has not begun and is as good as before. */
export type NotBegun = 'busy' | 'waited' | 'not_started' | 'not_loaded' | 'closed';

/**
 * Why a task was ended. `starved`: its time by the clock was up, and it had not had its limit of a processor. `cut`: its call ended before the
 * limit of its own. `given_up`: its call ended, and it has no other limit.
 */
export type TaskEndedBy = EndedBy | 'starved' | 'cut';

export type TaskOutcome =
  | { readonly kind: 'answered'; readonly answer: string; readonly usage: TaskUsage }
  | { readonly kind: 'not_begun'; readonly why: NotBegun }
  | { readonly kind: 'ended'; readonly by: TaskEndedBy; readonly usage: TaskUsage }
  /** The module threw; the process lives on. */
  | { readonly kind: 'threw'; readonly detail: string; readonly usage: TaskUsage };

export const notBegun = (why: NotBegun): TaskOutcome => ({ kind: 'not_begun', why });

/** A task that had less of a processor than this share of its limit was kept from running by others. */
const STARVED_SHARE = 0.5;

/** `limitMs`: what a task of its kind may take. */
export function taskEndedBy(by: EndedBy, { runMs, cpuMs }: TaskUsage, limitMs: number): TaskEndedBy {
  if (by === 'time' && cpuMs !== undefined && cpuMs < limitMs * STARVED_SHARE) return 'starved';
  if (by === 'given_up' && Number.isFinite(limitMs) && runMs < limitMs) return 'cut';
  return by;
}
