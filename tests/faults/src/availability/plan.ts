import type { Fault } from './fault.js';
import { faults } from './faults.js';

export interface Plan {
  readonly faults: Iterable<Fault>;
  readonly seed: number | undefined;
  /** Milliseconds that all of it may take on a busy machine. */
  readonly limitMs: number;
}

/** Milliseconds for a fault and what comes after it. */
const LIMIT_OF_ONE_MS = 180_000;
/** Milliseconds beyond the minutes for the last fault and its books. */
const MARGIN_MS = 900_000;

/**
 * Every run plays the short faults once. `TORTURE_ONLY` (lines) chooses those whose name contains one of them, and plays them
 * once; `TORTURE_MINUTES` plays the chosen, else all, in random orders until the time is over. Throws where none is chosen.
 */
export function planOf(env: NodeJS.ProcessEnv, nowMs: () => number = Date.now): Plan {
  const chosen = chosenBy(env['TORTURE_ONLY'] ?? '');
  const minutes = Number(env['TORTURE_MINUTES'] ?? 0);
  if (minutes === 0) {
    const once = chosen ?? faults.filter(({ short }) => short === true);
    return { faults: once, seed: undefined, limitMs: once.length * LIMIT_OF_ONE_MS };
  }
  const seed = Number(env['TORTURE_SEED'] ?? 1);
  const lengthMs = minutes * 60_000;
  const played = until(nowMs() + lengthMs, chosen ?? faults, random(seed), nowMs);
  return { faults: played, seed, limitMs: lengthMs + MARGIN_MS };
}

function chosenBy(only: string): readonly Fault[] | undefined {
  const texts = only.split('\n').filter((text) => text !== '');
  if (texts.length === 0) return undefined;
  const chosen = faults.filter(({ name }) => texts.some((text) => name.toLowerCase().includes(text.toLowerCase())));
  if (chosen.length > 0) return chosen;
  throw new Error(`no fault is called so; there are:\n${faults.map(({ name }) => name).join('\n')}`);
}

function* until(endMs: number, among: readonly Fault[], next: () => number, nowMs: () => number): Generator<Fault> {
  for (;;) {
    for (const fault of shuffled(among, next)) {
      if (nowMs() >= endMs) return;
      yield fault;
    }
  }
}

/** Each fault once, so that an hour plays each several times. */
function shuffled(among: readonly Fault[], next: () => number): Fault[] {
  return among
    .map((fault) => ({ fault, at: next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ fault }) => fault);
}

/** mulberry32: the same numbers from 0 to 1 for the same seed. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
