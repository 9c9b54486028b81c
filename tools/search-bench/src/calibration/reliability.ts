/** A foretold probability, and whether it came true. */
export interface Foretold {
  readonly probability: number;
  readonly relevant: boolean;
}

/** Those foretold with about the same probability. */
export interface Bin {
  /** Bounds, the upper one not included but for 1. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Means of what was foretold and of what came true, 0 to 1. */
  readonly foretold: number;
  readonly relevant: number;
}

const BINS = 10;

/** Ten bins of equal width; those that hold nothing are left out. */
export function reliabilityOf(cases: readonly Foretold[]): Bin[] {
  return Array.from({ length: BINS }, (_, at) => {
    const held = cases.filter(({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)) === at);
    return {
      from: at / BINS,
      to: (at + 1) / BINS,
      count: held.length,
      foretold: mean(held.map(({ probability }) => probability)),
      relevant: mean(held.map(({ relevant }) => Number(relevant))),
    };
  }).filter(({ count }) => count > 0);
}

/** The expected calibration error, 0 to 1: by how much the bins are off, each weighing as many cases as it holds. */
export function calibrationErrorOf(bins: readonly Bin[]): number {
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  return bins.reduce((sum, { count, foretold, relevant }) => sum + (count / all) * Math.abs(foretold - relevant), 0);
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
