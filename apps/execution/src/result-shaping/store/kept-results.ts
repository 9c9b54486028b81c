import type { AccountId, Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, METRICS, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import { ConfiguredStore } from './configured-store.js';
import {
  addResult,
  BATCH_ROWS,
  findAboveShare,
  findAboveTotal,
  findStoredBefore,
  forgetResults,
  forgetResultsOf,
  isKnown,
  totalBytes,
  totalOf,
} from './kept-results.sql.js';
import type { ResultLimits } from './result-store-config.js';
import { InaccessibleObject, nameOf, type OpenResult, type ResultKey, type ResultStore } from './result-store.js';
import { resultStoreMetrics, type RemovalReason, type ResultStoreMetrics } from './result-store-metrics.js';
import { NotKept, TookTooLong, withinTime, WriteBounds } from './write-bounds.js';

/** Results of one account, whatever their size. */
const MAX_RESULTS_PER_ACCOUNT = 5_000;
/** Batches of removals in one go; what is left waits for the next. */
const MAX_BATCHES = 20;
/** Removals under way at once. */
const REMOVALS_AT_ONCE = 16;
/** Pages of the store that one sweep looks through; the next goes on from there. */
const PAGES_PER_SWEEP = 10;
/** Inaccessible objects that a sweep tells of. */
const MAX_NOTED = 1_000;
/** Pages of an account's results that one erasure removes; the next takes what is left. */
const MAX_ACCOUNT_PAGES = 100;
/** Milliseconds for which a process believes its sum of all results, with its own added; others' are not in it. */
const TOTAL_FRESH_MS = 5_000;
/** More is removed than must be, by this part of the bound, so that a full store is not sorted at every write. */
const HEADROOM_PART = 100n;
/** Milliseconds after its lifetime for which a result stays, so that no link outlives it. */
const GRACE_MS = 60_000;
/** Milliseconds by which the clock of a store may differ from ours; it may also count in seconds only. */
const CLOCK_SKEW_MS = 600_000;
/** Milliseconds after which a file that is still being written belongs to a process that is gone, or to nobody's link. */
const ABANDONED_MS = 600_000;

/** Names that this service writes; whatever else is there is left alone. Those at the root are of builds before 0.1. */
const resultNamePattern = /^(?:acc_[0-9a-f]{32}\/)?exec_[0-9a-f]{32}\.json$/;
const partNamePattern = /^(?:acc_[0-9a-f]{32}\/)?[0-9a-f-]{36}\.tmp$/;

export interface SweepCounts {
  /** Past their lifetime, or left by a crash. */
  readonly removed: number;
  /** Removed early, because all together were too much. */
  readonly evicted: number;
  /** Whatever the store may not touch; the rest was swept. Absent where there is none. */
  readonly inaccessible?: readonly InaccessibleObject[];
}

/**
 * The full results of calls, within bounds that hold on every write and over all replicas: one result, an account's share
 * and all together. The books (`stored_results`) are written before the object and deleted after it, so whatever is in
 * the store is in the books; what is not, after a crash or an early removal that a write overtook, is found by its age.
 */
@Injectable()
export class KeptResults {
  private totalBytes = 0n;
  private totalAtMs = Number.NEGATIVE_INFINITY;
  private makingRoom: Promise<number> | undefined;
  private walkedTo: string | undefined;
  /** Met since the last sweep. */
  private inaccessible: InaccessibleObject[] = [];
  private readonly writes = new WriteBounds();
  private readonly limits: ResultLimits;
  private readonly metrics: ResultStoreMetrics;

  constructor(
    @Inject(ConfiguredStore) private readonly store: ResultStore,
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) { resultStore }: { readonly resultStore: ResultLimits },
    @Inject(METRICS) registry: Registry,
  ) {
    this.limits = resultStore;
    this.metrics = resultStoreMetrics(registry, () => this.writes.inFlight);
  }

  /**
   * Resolves or throws within the time limit of the store, and before `untilMs` of the clock: `NotKept` where the bounds do
   * not allow it, `TookTooLong`, and whatever the store or the database throws. What is late is removed once it is there.
   */
  async save(key: ResultKey, content: Buffer, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
    const { clock, limits } = this;
    const waitMs = Math.min(limits.timeoutMs, untilMs - clock.nowMs());
    try {
      await this.writes.run(
        { sizeBytes: content.length, waitMs },
        () => this.write(key, content),
        () => this.removeOne(key),
      );
    } catch (error) {
      this.metrics.wrote(
        error instanceof NotKept ? 'refused' : error instanceof TookTooLong ? 'late' : 'failed',
        content.length,
      );
      throw error;
    }
    this.metrics.wrote('kept', content.length);
  }

  private async write(key: ResultKey, content: Buffer): Promise<void> {
    const { store, pool, clock, limits } = this;
    const maxBytes = Math.min(limits.maxResultBytes, limits.maxAccountBytes);
    if (content.length > maxBytes) throw new NotKept(`a result of ${content.length} bytes is above ${maxBytes}`);
    await addResult(pool, key, content.length, new Date(clock.nowMs()));
    this.totalBytes += BigInt(content.length);
    try {
      const madeRoom = [await this.keepToShare(key.accountId), await this.keepToTotal()].includes(true);
      if (madeRoom && !(await isKnown(pool, key))) throw new NotKept('the result store is full of results of others');
      await store.save(key, content);
    } catch (error) {
      await forgetResults(pool, [key]).catch(() => undefined);
      throw error;
    }
  }

  /** Undefined where it is gone. Throws `TookTooLong` where the store does not say within its time limit. */
  async open(key: ResultKey): Promise<OpenResult | undefined> {
    const opening = this.store.open(key);
    try {
      return await this.inTime(opening);
    } catch (error) {
      if (error instanceof TookTooLong) opening.then((found) => found?.close()).catch(() => undefined);
      throw error;
    }
  }

  /** Everything of an account, in the books or not. Resolves to how many results. */
  async removeAccount(accountId: AccountId): Promise<number> {
    const { store, pool } = this;
    let removed = 0;
    let after: string | undefined;
    for (let page = 0; page < MAX_ACCOUNT_PAGES; page += 1) {
      const { objects, next } = await this.inTime(store.list({ accountId, after }));
      const [left] = await this.removeObjects(objects.map(({ name }) => name));
      if (left !== undefined) throw left;
      removed += objects.length;
      if (next === undefined) {
        await forgetResultsOf(pool, accountId);
        break;
      }
      after = next;
    }
    this.metrics.removed('erased', removed);
    return removed;
  }

  /** One bounded round: what is past its lifetime, what is above the bound, what a crash has left. */
  async sweep(): Promise<SweepCounts> {
    const { pool, clock, limits } = this;
    const before = clock.nowMs() - limits.lifetimeMs - GRACE_MS;
    const expired = await this.removeWhile('expired', () => findStoredBefore(pool, new Date(before)));
    this.totalAtMs = Number.NEGATIVE_INFINITY;
    const evicted = await this.makeRoom();
    const removed = expired + (await this.removeLeftBehind(before - CLOCK_SKEW_MS));
    const inaccessible = this.inaccessible.splice(0);
    return { removed, evicted, ...(inaccessible.length === 0 ? {} : { inaccessible }) };
  }

  /** Resolves to whether something may have been removed for it. */
  private async keepToShare(accountId: AccountId): Promise<boolean> {
    const { pool } = this;
    const share = { maxBytes: this.limits.maxAccountBytes, maxResults: MAX_RESULTS_PER_ACCOUNT };
    const { bytes, results } = await totalOf(pool, accountId);
    if (bytes <= BigInt(share.maxBytes) && results <= share.maxResults) return false;
    await this.removeWhile('evicted', () => findAboveShare(pool, accountId, share));
    return true;
  }

  private async keepToTotal(): Promise<boolean> {
    const { clock, limits } = this;
    const fresh = clock.nowMs() - this.totalAtMs < TOTAL_FRESH_MS;
    if (fresh && this.totalBytes <= BigInt(limits.maxTotalBytes)) return false;
    await this.makeRoom();
    // Another write may have asked before this one was in the books.
    if (this.totalBytes > BigInt(limits.maxTotalBytes)) await this.makeRoom();
    if (this.totalBytes > BigInt(limits.maxTotalBytes)) throw new NotKept('the result store is full');
    return true;
  }

  /** Writes that find the store full at the same time wait for one removal. Resolves to how many results it took. */
  private makeRoom(): Promise<number> {
    this.makingRoom ??= this.removeAboveTotal().finally(() => (this.makingRoom = undefined));
    return this.makingRoom;
  }

  private async removeAboveTotal(): Promise<number> {
    const bound = BigInt(this.limits.maxTotalBytes);
    let evicted = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const total = await this.readTotal();
      if (total <= bound) break;
      const above = findAboveTotal(this.pool, total - bound + bound / HEADROOM_PART);
      evicted += (await this.removeBatch('evicted', above)).removed;
    }
    if (evicted > 0) await this.readTotal();
    return evicted;
  }

  private async readTotal(): Promise<bigint> {
    this.totalBytes = await totalBytes(this.pool);
    this.totalAtMs = this.clock.nowMs();
    this.metrics.holds(this.totalBytes);
    return this.totalBytes;
  }

  private async removeWhile(reason: RemovalReason, find: () => Promise<ResultKey[]>): Promise<number> {
    let removed = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const inBatch = await this.removeBatch(reason, find());
      removed += inBatch.removed;
      if (inBatch.found < BATCH_ROWS) break;
    }
    return removed;
  }

  /**
   * Objects first: of a process that dies in between, the books are still there for the next. What is not accessible leaves the books as
   * well, since it would come first in every batch; by its age it is found again.
   */
  private async removeBatch(
    reason: RemovalReason,
    found: Promise<ResultKey[]>,
  ): Promise<{ readonly found: number; readonly removed: number }> {
    const keys = await found;
    const left = this.noted(await this.removeObjects(keys.map(nameOf)));
    if (keys.length > 0) await forgetResults(this.pool, keys);
    const removed = keys.length - left.length;
    this.metrics.removed(reason, removed);
    return { found: keys.length, removed };
  }

  private noted(met: readonly InaccessibleObject[]): readonly InaccessibleObject[] {
    this.metrics.inaccessible(met.length);
    this.inaccessible.push(...met.slice(0, MAX_NOTED - this.inaccessible.length));
    return met;
  }

  private inTime<T>(work: Promise<T>): Promise<T> {
    return withinTime(work, this.limits.timeoutMs);
  }

  private async removeOne(key: ResultKey): Promise<void> {
    await this.store.remove(nameOf(key));
    await forgetResults(this.pool, [key]);
  }

  /** Gives those that are not accessible. Throws whatever else the store throws. */
  private async removeObjects(names: readonly string[]): Promise<InaccessibleObject[]> {
    const { store } = this;
    const left: InaccessibleObject[] = [];
    const removed = async (name: string): Promise<void> => {
      try {
        await store.remove(name);
      } catch (error) {
        if (!(error instanceof InaccessibleObject)) throw error;
        left.push(error);
      }
    };
    for (let start = 0; start < names.length; start += REMOVALS_AT_ONCE) {
      await this.inTime(Promise.all(names.slice(start, start + REMOVALS_AT_ONCE).map(removed)));
    }
    return left;
  }

  private async removeLeftBehind(beforeMs: number): Promise<number> {
    const { store, clock } = this;
    const abandonedBeforeMs = clock.nowMs() - ABANDONED_MS;
    let removed = 0;
    for (let page = 0; page < PAGES_PER_SWEEP; page += 1) {
      const { objects, inaccessible = [], next } = await this.inTime(store.list({ after: this.walkedTo }));
      this.noted(inaccessible);
      const old = objects.filter(
        ({ name, writtenMs }) =>
          (writtenMs < beforeMs && resultNamePattern.test(name)) ||
          (writtenMs < abandonedBeforeMs && partNamePattern.test(name)),
      );
      const left = this.noted(await this.removeObjects(old.map(({ name }) => name)));
      removed += old.length - left.length;
      this.metrics.removed('expired', old.length - left.length);
      this.walkedTo = next;
      if (next === undefined) break;
    }
    return removed;
  }
}
