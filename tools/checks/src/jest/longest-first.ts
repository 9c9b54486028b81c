import { existsSync, readFileSync, statSync } from 'node:fs';
import { takesLong } from '../spec-marks.js';

/** The parts of jest's own types that are used here. */
interface Test {
  readonly path: string;
}

/**
 * Jest's `testSequencer`: random histories and what is marked `@takes-long` first, because each of them is long and nobody
 * can share it, then the rest by the size of the file. Without it a worker that begins a long file last works alone while the other is idle.
 * Jest's own order follows the seconds of earlier runs, which a fresh machine does not have.
 */
export default class LongestFirst {
  sort<T extends Test>(tests: Iterable<T>): T[] {
    const weighed = [...tests].map((test) => ({ test, isLong: isLong(test.path), size: sizeOf(test.path) }));
    weighed.sort((a, b) => Number(b.isLong) - Number(a.isLong) || b.size - a.size);
    return weighed.map(({ test }) => test);
  }

  /** For `--onlyFailures`, which the groups do not use. */
  allFailedTests<T extends Test>(tests: Iterable<T>): T[] {
    return this.sort(tests);
  }

  /** Seconds of this run do not change the order of the next. */
  cacheResults(): void {
    // Nothing is kept.
  }
}

const isLong = (path: string): boolean =>
  path.endsWith('.sim.spec.ts') || (existsSync(path) && takesLong(readFileSync(path, 'utf8')));

/** Bytes. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
