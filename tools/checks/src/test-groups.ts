import { cpus } from 'node:os';
import type { TestCounts } from './jest-run.js';

export interface TestGroup {
  readonly name: string;
  readonly counts: TestCounts;
  readonly seconds: number;
  /**
   * The seconds that the machine's processors worked meanwhile, whoever had them work. Near `seconds` times their number, only less
   * work makes the group shorter.
   */
  readonly processorSeconds: number;
}

export function countGroup(counts: readonly TestCounts[]): TestCounts {
  const sum = (of: (one: TestCounts) => number): number => counts.reduce((total, one) => total + of(one), 0);
  return { passed: sum((c) => c.passed), failed: sum((c) => c.failed), skipped: sum((c) => c.skipped) };
}

/** `parts alone: 12 passed, 0 failed (34 s, 61 s of processors)` */
export function lineOf({ name, counts, seconds, processorSeconds }: TestGroup): string {
  const switchedOff = counts.skipped === 0 ? '' : `, ${counts.skipped} switched off (count as failed)`;
  return `${name}: ${counts.passed} passed, ${counts.failed} failed${switchedOff} (${seconds.toFixed(0)} s, ${processorSeconds.toFixed(0)} s of processors)`;
}

/** Runs one group; what throws, such as a server that does not start, is one failure and is shown. */
export async function runGroup(name: string, run: () => Promise<TestCounts>): Promise<TestGroup> {
  console.log(`\n== ${name}`);
  const startedMs = performance.now();
  const workedBefore = workedSeconds();
  let counts: TestCounts;
  try {
    counts = await run();
  } catch (error) {
    console.error(error);
    counts = { passed: 0, failed: 1, skipped: 0 };
  }
  const seconds = (performance.now() - startedMs) / 1000;
  return { name, counts, seconds, processorSeconds: workedSeconds() - workedBefore };
}

/** Seconds that all processors have worked since the machine started. */
function workedSeconds(): number {
  const ms = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return ms / 1000;
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
