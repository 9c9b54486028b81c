import type { Memory } from '../machine/processes.js';

export interface MemorySample {
  readonly half: 'first' | 'second';
  readonly node: Memory;
  readonly postgres: Memory;
}

/** Bytes, the most that was read in each half of the calls. */
export interface Peaks {
  readonly first: number;
  readonly second: number;
}

/** @throws RangeError where a half has no sample. */
export function peaksOf(samples: readonly MemorySample[], read: (sample: MemorySample) => number): Peaks {
  const most = (half: MemorySample['half']): number => {
    const values = samples.filter((sample) => sample.half === half).map(read);
    if (values.length === 0) throw new RangeError(`the ${half} half has no sample`);
    return Math.max(...values);
  };
  return { first: most('first'), second: most('second') };
}
