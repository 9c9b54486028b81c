import type { Clock } from '@capability-router/kernel';
import { LRUCache } from 'lru-cache';

/** Entries. */
const MAX_DROPPED_AT_A_TIME = 2;

interface Entry<V> {
  readonly value: V;
  readonly expiresAtMs: number;
}

/**
 * An `LRUCache` whose entries also expire, each in a time of its own, by the service's clock. The package's own expiry
 * keeps an expired entry until somebody asks for it or the cache is full, and needs a timer for each to do better.
 */
export class ExpiringCache<K extends NonNullable<unknown>, V> {
  private readonly entries: LRUCache<K, Entry<V>>;

  constructor(
    maxEntries: number,
    private readonly clock: Clock,
  ) {
    // By `max` the package would take the room of all entries at once; there are many caches, and most stay small.
    this.entries = new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAtMs > this.clock.nowMs()) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  set(key: K, value: V, ttlMs: number): void {
    this.entries.set(key, { value, expiresAtMs: this.clock.nowMs() + ttlMs });
    this.dropExpired();
  }

  /** More than `set` adds, so that keys that nobody asks for again, such as tokens, do not pile up to `maxEntries`. */
  private dropExpired(): void {
    const nowMs = this.clock.nowMs();
    for (let dropped = 0; dropped < MAX_DROPPED_AT_A_TIME; dropped += 1) {
      const [key] = this.entries.rkeys();
      if (key === undefined || (this.entries.peek(key)?.expiresAtMs ?? nowMs) > nowMs) return;
      this.entries.delete(key);
    }
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  /** Removes every entry that the predicate picks; walks the whole cache. */
  deleteWhere(predicate: (value: V) => boolean): void {
    const picked: K[] = [];
    for (const [key, { value }] of this.entries.entries()) if (predicate(value)) picked.push(key);
    for (const key of picked) this.entries.delete(key);
  }
}
