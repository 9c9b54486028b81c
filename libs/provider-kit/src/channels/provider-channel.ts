import { LRUCache } from 'lru-cache';
import type { ProviderDefinition } from '@capability-router/contracts';
import { EgressClient, type EgressSettings } from '../egress/index.js';
import { Turns } from '../flow/turns.js';
import { within } from '../flow/within.js';
import { failure, unsent, type ProviderAnswer, type ProviderRequest } from '../provider-adapter.js';
import { Breaker, type BreakerState } from './breaker.js';
import { withRetries } from './retry.js';

export interface ChannelSettings extends Omit<EgressSettings, 'maxConnections'> {
  /** Calls that one provider gets at once. Default 128. */
  readonly maxConcurrent?: number;
  /** Calls that may wait for one provider; above it a call is refused at once. Default 512. */
  readonly maxQueue?: number;
  /** Milliseconds for which a provider that keeps failing is left alone. Default 10,000. */
  readonly breakerPauseMs?: number;
}

const defaults = { maxConcurrent: 128, maxQueue: 512, breakerPauseMs: 10_000 } as const;

/** Accounts whose connections to one provider are kept, where they call with credentials of their own. */
const MAX_ACCOUNTS = 256;
/** Milliseconds that an attempt may overrun its time before it is not waited for any more. */
const ATTEMPT_GRACE_MS = 250;

export type Attempt = (remainingMs: number) => Promise<ProviderAnswer>;

/** Everything that one provider has of its own, so that no other feels it: connections, turns, breaker. */
export class ProviderChannel {
  readonly egress: EgressClient;
  /** By account; the one not used for longest goes first. */
  private readonly ofAccounts: LRUCache<string, EgressClient>;
  private readonly turns: Turns;
  private readonly breaker: Breaker;

  /** Throws a `RangeError` where the provider's egress policy cannot be read. */
  constructor(
    readonly provider: ProviderDefinition,
    private readonly settings: ChannelSettings,
    onBreakerChange: (state: BreakerState) => void,
  ) {
    const { maxConcurrent, maxQueue, breakerPauseMs } = { ...defaults, ...settings };
    this.egress = new EgressClient(provider.egress ?? {}, { ...settings, maxConnections: maxConcurrent });
    this.ofAccounts = new LRUCache({
      max: MAX_ACCOUNTS,
      // Calls under way end on the connections that they have.
      dispose: (egress) => void egress.close().catch(() => undefined),
    });
    this.turns = new Turns(maxConcurrent, maxQueue);
    this.breaker = new Breaker(breakerPauseMs, onBreakerChange);
  }

  /** Connections on which a credential of an account has been shown serve that account only. */
  egressFor({ provider, accountId }: Pick<ProviderRequest, 'provider' | 'accountId'>): EgressClient {
    if (provider.credential !== 'account' || accountId === undefined) return this.egress;
    const known = this.ofAccounts.get(accountId);
    if (known !== undefined) return known;
    const { maxConcurrent } = { ...defaults, ...this.settings };
    const egress = new EgressClient(this.provider.egress ?? {}, { ...this.settings, maxConnections: maxConcurrent });
    this.ofAccounts.set(accountId, egress);
    return egress;
  }

  get breakerState(): BreakerState {
    return this.breaker.state;
  }

  /** Calls that run or wait. */
  get inFlight(): number {
    return this.turns.inFlight;
  }

  /** Runs one call within its deadline, waiting for a turn included. `attempt` is repeated only where that is safe. */
  async run(
    { deadlineMs, signal }: Pick<ProviderRequest, 'deadlineMs' | 'signal'>,
    retrySafe: boolean,
    attempt: Attempt,
  ): Promise<ProviderAnswer> {
    const endsAt = performance.now() + deadlineMs;
    if (deadlineMs <= 0 || signal?.aborted === true) return waitedTooLong;
    if (this.turns.full) return busy;
    if (!this.turns.tryTake() && !(await this.waitForTurn(deadlineMs, signal))) return waitedTooLong;
    try {
      const bounded: Attempt = (remainingMs) => within(attempt(remainingMs), remainingMs + ATTEMPT_GRACE_MS);
      const remainingMs = endsAt - performance.now();
      // The breaker counts calls, not attempts: repeating must not make one caller's bad luck weigh three times.
      const call = (): Promise<ProviderAnswer> =>
        retrySafe ? withRetries(bounded, remainingMs) : bounded(remainingMs);
      return await this.breaker.run(call, signal);
    } finally {
      this.turns.release();
    }
  }

  private async waitForTurn(deadlineMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    const abort = new AbortController();
    const giveUp = (): void => abort.abort();
    const timer = setTimeout(giveUp, deadlineMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      return await this.turns.wait((leave) => abort.signal.addEventListener('abort', leave, { once: true }));
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Requests under way end first. */
  async close(): Promise<void> {
    await Promise.all([this.egress, ...this.ofAccounts.values()].map((egress) => egress.close()));
  }

  /** Requests under way fail. */
  async destroy(): Promise<void> {
    await Promise.all([this.egress, ...this.ofAccounts.values()].map((egress) => egress.destroy()));
  }
}

const busy = unsent(
  failure('execution_failed', 'Too many calls wait for this provider. Retry in a few seconds.', { retryable: true }),
);

const waitedTooLong = unsent(
  failure('timeout', 'The provider was busy for the whole time of the call. Retry later.', { retryable: true }),
);
