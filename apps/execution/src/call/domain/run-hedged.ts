import type { Attempt } from '../admission/domain/plan.js';
import type { Tried } from './tried.js';

/** Runs one attempt; the signal gives it up. */
type Run<T> = (signal: AbortSignal) => Promise<Tried<T>>;

export interface HedgedTurn<T> {
  /** The attempts that came to their end, in the order in which they did. */
  readonly ended: readonly Tried<T>[];
  /** The second attempt, where it began. */
  readonly hedge?: Attempt;
  /** The attempt that was given up, because the other one served. */
  readonly abandoned?: Attempt;
}

export interface Hedged<T> {
  readonly pair: readonly [Attempt, Attempt];
  /** Milliseconds for which the first attempt is alone. */
  readonly afterMs: number;
  readonly first: Run<T>;
  /** Undefined where the second attempt may not begin any more. Asked at most once, and only while the first one runs. */
  readonly second: () => Promise<Run<T> | undefined>;
  /** Resolves after milliseconds, or when the signal comes. */
  readonly after: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Runs the first attempt and, where it takes longer than it usually does, the second one beside it. The first of them that serves is
 * the one that counts, and the other is given up at once; where one does not serve, the other one is waited for.
 */
export async function runHedged<T>({ pair, afterMs, first, second, after }: Hedged<T>): Promise<HedgedTurn<T>> {
  const [giveUpFirst, giveUpSecond, stopWaiting] = [
    new AbortController(),
    new AbortController(),
    new AbortController(),
  ];
  const state = { isRunning: true };
  const leading = first(giveUpFirst.signal).finally(() => (state.isRunning = false));
  await Promise.race([leading, after(afterMs, stopWaiting.signal)]);
  stopWaiting.abort();
  const begin = state.isRunning ? await second() : undefined;
  if (begin === undefined || !state.isRunning) return { ended: [await leading] };
  const [, hedge] = pair;
  const trailing = begin(giveUpSecond.signal);
  const faster = await Promise.race([leading, trailing]);
  const isLeading = faster.attempt !== hedge;
  if (faster.came === 'served') {
    (isLeading ? giveUpSecond : giveUpFirst).abort();
    return { ended: [faster], hedge, abandoned: isLeading ? hedge : pair[0] };
  }
  return { ended: [faster, await (isLeading ? trailing : leading)], hedge };
}
