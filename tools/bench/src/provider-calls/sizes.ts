export interface LatencySizes {
  readonly perSecond: number;
  readonly rounds: number;
  readonly roundSeconds: number;
  readonly warmUpSeconds: number;
}

export interface SlowSizes {
  readonly providers: number;
  /** At once, over all providers. */
  readonly calls: number;
}

export interface MemorySizes {
  readonly calls: number;
  /** Before anything is sampled. */
  readonly warmUpCalls: number;
  /** Sent by the load generator in one go; the books are checked after each. */
  readonly callsPerPart: number;
  /** No part is begun when half of the calls took longer than half of this. */
  readonly maxMs: number;
  readonly sampleMs: number;
}

export interface Sizes {
  /** So many that none of them reaches its limit of 200 calls a minute. */
  readonly accounts: number;
  readonly latency: LatencySizes;
  readonly slow: SlowSizes;
  readonly memory: MemorySizes;
}

/** As the design's bars name them. */
export const fullSizes: Sizes = {
  accounts: 600,
  latency: { perSecond: 400, rounds: 3, roundSeconds: 8, warmUpSeconds: 5 },
  // Each provider stays below PROVIDER_MAX_CONCURRENT, 128 by default.
  slow: { providers: 10, calls: 1_000 },
  memory: { calls: 100_000, warmUpCalls: 5_000, callsPerPart: 5_000, maxMs: 600_000, sampleMs: 3_000 },
};

/** To see that everything works; not to be published. */
export const quickSizes: Sizes = {
  accounts: 60,
  latency: { perSecond: 50, rounds: 2, roundSeconds: 2, warmUpSeconds: 1 },
  slow: { providers: 10, calls: 200 },
  memory: { calls: 3_000, warmUpCalls: 300, callsPerPart: 1_000, maxMs: 30_000, sampleMs: 500 },
};
