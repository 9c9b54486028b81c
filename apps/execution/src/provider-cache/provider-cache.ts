import type { Clock } from '@capability-router/kernel';
import type { Logger } from 'pino';
import { cacheKey, type CacheSubject, type CredentialRevisions } from './cache-key.js';
import type { CachedResult, ResultCache } from './cached-result.js';
import { SingleFlight } from './single-flight.js';

/** Milliseconds for which a store that failed is left alone, so that an outage does not slow every call down. */
const REST_MS = 1_000;

/** A caller of a tool that declares how long its results last. */
export interface CacheQuery extends CacheSubject {
  readonly ttlMs: number;
  /** Milliseconds from now, of this caller. */
  readonly deadlineMs: number;
}

/** The caller runs the tool. */
export interface OwnRun {
  readonly kind: 'run';
  /** Milliseconds from now that are left to the caller. */
  readonly deadlineMs: number;
  /**
   * The caller says what of its answer equal calls may have; undefined: nothing. It is to be called once, also where the run
   * failed, since others may wait for it.
   */
  readonly share: (result: CachedResult | undefined) => void;
}

export type CacheAnswer =
  /** The result is from an earlier call, or one that was under way. */
  | { readonly kind: 'hit'; readonly result: CachedResult }
  | OwnRun
  /** The caller's deadline passed while another call had not ended; nothing is to be run. */
  | { readonly kind: 'late' };

/**
 * Lets a valid result answer equal calls. Whoever comes while an equal call is under way waits for it, within the own
 * deadline; when it fails, or has nothing to share, everyone who waited runs for themselves.
 */
export class ProviderCache {
  private readonly flights = new SingleFlight<CachedResult>();
  private restUntilMs = 0;

  constructor(
    private readonly parts: {
      readonly store: ResultCache;
      readonly credentials: CredentialRevisions;
      readonly clock: Clock;
      readonly logger: Logger;
    },
  ) {}

  async answer(query: CacheQuery): Promise<CacheAnswer> {
    const endsAtMs = this.parts.clock.nowMs() + query.deadlineMs;
    const remainingMs = (): number => Math.max(1, endsAtMs - this.parts.clock.nowMs());
    const runAlone = (share: OwnRun['share'] = () => undefined): OwnRun => {
      return { kind: 'run', deadlineMs: remainingMs(), share };
    };
    const key = await this.keyOf(query);
    if (key === undefined) return runAlone();
    const underWay = this.flights.join(key);
    if (underWay === undefined) return this.lead(key, query.ttlMs, runAlone);
    const shared = await within(underWay, remainingMs());
    if (shared === 'late') return { kind: 'late' };
    return shared === undefined ? runAlone() : { kind: 'hit', result: shared };
  }

  private async lead(key: string, ttlMs: number, runAlone: (share: OwnRun['share']) => OwnRun): Promise<CacheAnswer> {
    const flight = this.flights.open(key);
    const kept = await this.quietly(() => this.parts.store.get(key));
    if (kept !== undefined) {
      flight.share(kept);
      flight.close();
      return { kind: 'hit', result: kept };
    }
    return runAlone((result) => {
      flight.share(result);
      const keeping = result === undefined ? undefined : this.quietly(() => this.parts.store.put(key, result, ttlMs));
      // The caller does not wait until the result is kept, but whoever comes meanwhile still joins.
      void Promise.resolve(keeping).then(() => flight.close());
    });
  }

  private async keyOf(query: CacheQuery): Promise<string | undefined> {
    try {
      return await cacheKey(query, this.parts.credentials);
    } catch (err) {
      // Whoever calls the provider finds the same, and says what it means.
      this.parts.logger.warn({ err, toolId: query.tool.toolId }, 'a call is not cached: its credential cannot be read');
      return undefined;
    }
  }

  /** Undefined where the store fails; its connection reports its own outage. */
  private async quietly<V>(command: () => Promise<V>): Promise<V | undefined> {
    if (this.parts.clock.nowMs() < this.restUntilMs) return undefined;
    try {
      return await command();
    } catch (err) {
      this.restUntilMs = this.parts.clock.nowMs() + REST_MS;
      this.parts.logger.debug({ err }, 'the provider cache did not answer');
      return undefined;
    }
  }
}

async function within<V>(flight: Promise<V>, deadlineMs: number): Promise<V | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), deadlineMs);
  });
  try {
    return await Promise.race([flight, late]);
  } finally {
    clearTimeout(timer);
  }
}
