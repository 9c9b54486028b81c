import { faults } from './faults.js';
import type { Fault } from './faults.js';

export interface Plan {
  readonly faults: Iterable<Fault>;
  readonly seed: number | undefined;
}

/** Every run plays the short faults once; `TORTURE_MINUTES` plays all of them in random orders until the time is over. */
export function planOf(env: NodeJS.ProcessEnv, nowMs: () => number = Date.now): Plan {
  const minutes = Number(env['TORTURE_MINUTES'] ?? 0);
  if (minutes === 0) return { faults: faults.filter(({ short }) => short === true), seed: undefined };
  const seed = Number(env['TORTURE_SEED'] ?? 1);
  return { faults: until(nowMs() + minutes * 60_000, random(seed), nowMs), seed };
}

function* until(endMs: number, next: () => number, nowMs: () => number): Generator<Fault> {
  for (;;) {
    for (const fault of shuffled(next)) {
      if (nowMs() >= endMs) return;
      yield fault;
    }
  }
}

/** Each fault once, so that an hour plays each several times. */
function shuffled(next: () => number): Fault[] {
  return faults
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
