import type { Clock } from '@capability-router/kernel';
import { LRUCache } from 'lru-cache';
import { bytesOf, type CacheBounds, type CachedResult, type ResultCache } from './cached-result.js';

interface Entry {
  readonly result: CachedResult;
  readonly expiresAtMs: number;
}

/** Each process has its own. What was used least recently goes first. */
export class MemoryResultCache implements ResultCache {
  private readonly entries: LRUCache<string, Entry>;

  constructor(
    { maxEntries, maxBytes, maxEntryBytes }: CacheBounds,
    private readonly clock: Clock,
  ) {
    this.entries = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      maxEntrySize: Math.min(maxEntryBytes, maxBytes),
      sizeCalculation: ({ result }) => bytesOf(result),
    });
  }

  get bytes(): number {
    return this.entries.calculatedSize;
  }

  get(key: string): Promise<CachedResult | undefined> {
    const entry = this.entries.get(key);
    if (entry !== undefined && entry.expiresAtMs > this.clock.nowMs()) return Promise.resolve(entry.result);
    this.entries.delete(key);
    return Promise.resolve(undefined);
  }

  put(key: string, result: CachedResult, ttlMs: number): Promise<void> {
    this.entries.set(key, { result, expiresAtMs: this.clock.nowMs() + ttlMs });
    return Promise.resolve();
  }
}
