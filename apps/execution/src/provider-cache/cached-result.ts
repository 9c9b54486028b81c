import type { ExecutionOutcome } from '@capability-router/contracts';

/** A valid result as a provider gave it. */
export interface CachedResult {
  readonly outcome: ExecutionOutcome;
  /** `result.data` as JSON in UTF-8, whole. */
  readonly serialized: Buffer;
}

/** Port to where results are kept. What does not fit, or cannot be reached, is a miss: a call never fails for its cache. */
export interface ResultCache {
  get(key: string): Promise<CachedResult | undefined>;
  put(key: string, result: CachedResult, ttlMs: number): Promise<void>;
}

/** Bounds of one cache. */
export interface CacheBounds {
  readonly maxEntries: number;
  /** Bytes of all results together. */
  readonly maxBytes: number;
  /** Bytes of a result; a larger one is not kept. */
  readonly maxEntryBytes: number;
}

/** Bytes that a result counts for: its data and about as much as what is kept beside it. */
export const bytesOf = ({ serialized }: CachedResult): number => serialized.length + OVERHEAD_BYTES;
const OVERHEAD_BYTES = 512;
