import { statSync } from 'node:fs';

/** The parts of jest's own types that are used here. */
interface Test {
  readonly path: string;
}

/**
 * Jest's `testSequencer`: random histories first, because each of them is one long test that nobody can share, then the
 * rest by the size of the file. Without it a worker that begins a long file last works alone while the other is idle.
 * Jest's own order follows the seconds of earlier runs, which a fresh machine does not have.
 */
export default class LongestFirst {
  sort<T extends Test>(tests: Iterable<T>): T[] {
    const weighed = [...tests].map((test) => ({ test, isHistory: isHistory(test.path), size: sizeOf(test.path) }));
    weighed.sort((a, b) => Number(b.isHistory) - Number(a.isHistory) || b.size - a.size);
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

const isHistory = (path: string): boolean => path.endsWith('.sim.spec.ts');

/** Bytes. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
