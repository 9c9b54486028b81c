import type { Clock } from '@capability-router/kernel';

/** Entries. */
const MAX_DROPPED_AT_A_TIME = 2;

interface Entry<V> {
  readonly value: V;
  readonly expiresAtMs: number;
}

/** A bounded map: entries leave when they expire or, beyond `maxEntries`, in the order of their last use. */
export class LruCache<K, V> {
  private readonly entries = new Map<K, Entry<V>>();

  constructor(
    private readonly maxEntries: number,
    private readonly clock: Clock,
  ) {
    if (maxEntries < 1) throw new RangeError('a cache needs room for at least one entry');
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    if (entry.expiresAtMs <= this.clock.nowMs()) return undefined;
    // A Map keeps insertion order, so re-inserting marks the entry as used last.
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V, ttlMs: number): void {
    this.entries.delete(key);
    this.entries.set(key, { value, expiresAtMs: this.clock.nowMs() + ttlMs });
    this.dropOldest();
  }

  /** More than `set` adds, so that keys that nobody asks for again, such as tokens, do not pile up to `maxEntries`. */
  private dropOldest(): void {
    const nowMs = this.clock.nowMs();
    let left = MAX_DROPPED_AT_A_TIME;
    for (const [key, entry] of this.entries) {
      if (left === 0 || (entry.expiresAtMs > nowMs && this.entries.size <= this.maxEntries)) return;
      this.entries.delete(key);
      left -= 1;
    }
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  /** Removes every entry that the predicate picks; walks the whole cache. */
  deleteWhere(predicate: (value: V) => boolean): number {
    let removed = 0;
    for (const [key, entry] of this.entries) {
      if (!predicate(entry.value)) continue;
      this.entries.delete(key);
      removed += 1;
    }
    return removed;
  }

  clear(): void {
    this.entries.clear();
  }
}
