import type { TestCounts } from './jest-run.js';

export interface TestGroup {
  readonly name: string;
  readonly counts: TestCounts;
  readonly seconds: number;
}

export function countGroup(counts: readonly TestCounts[]): TestCounts {
  const sum = (of: (one: TestCounts) => number): number => counts.reduce((total, one) => total + of(one), 0);
  return { passed: sum((c) => c.passed), failed: sum((c) => c.failed), skipped: sum((c) => c.skipped) };
}

/** `parts alone: 12 passed, 0 failed (34 s)` */
export function lineOf({ name, counts, seconds }: TestGroup): string {
  const switchedOff = counts.skipped === 0 ? '' : `, ${counts.skipped} switched off (count as failed)`;
  return `${name}: ${counts.passed} passed, ${counts.failed} failed${switchedOff} (${seconds.toFixed(0)} s)`;
}

/** Runs one group; what throws, such as a server that does not start, is one failure and is shown. */
export async function runGroup(name: string, run: () => Promise<TestCounts>): Promise<TestGroup> {
  console.log(`\n== ${name}`);
  const startedMs = performance.now();
  let counts: TestCounts;
  try {
    counts = await run();
  } catch (error) {
    console.error(error);
    counts = { passed: 0, failed: 1, skipped: 0 };
  }
  return { name, counts, seconds: (performance.now() - startedMs) / 1000 };
}

/** Runs `use` on what `start` gives, and stops it afterwards, whatever happened. */
export async function withStarted<T extends { stop(): Promise<void> }, R>(
  start: () => Promise<T>,
  use: (started: T) => Promise<R>,
): Promise<R> {
  const started = await start();
  try {
    return await use(started);
  } finally {
    await started.stop();
  }
}
