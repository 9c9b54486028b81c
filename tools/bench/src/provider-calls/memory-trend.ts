export interface MemorySample {
  /** Calls answered so far. */
  readonly calls: number;
  /** Bytes. */
  readonly bytes: number;
}

/** Bytes for each call over the later half of the calls, by least squares. NaN where fewer than two samples fall into it. */
export function growthPerCall(samples: readonly MemorySample[]): number {
  const most = Math.max(...samples.map(({ calls }) => calls));
  const later = samples.filter(({ calls }) => calls >= most / 2);
  const mean = (read: (sample: MemorySample) => number): number =>
    later.reduce((sum, sample) => sum + read(sample), 0) / later.length;
  const meanCalls = mean(({ calls }) => calls);
  const meanBytes = mean(({ bytes }) => bytes);
  const covariance = later.reduce((sum, { calls, bytes }) => sum + (calls - meanCalls) * (bytes - meanBytes), 0);
  const variance = later.reduce((sum, { calls }) => sum + (calls - meanCalls) ** 2, 0);
  return covariance / variance;
}
