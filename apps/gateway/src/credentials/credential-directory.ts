import { createHash } from 'node:crypto';
import type { AccountAssertion, AccountRatePlan, VerifiedCredential } from '@capability-router/contracts';
import { AppError, type Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, delay, ExpiringCache } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { GatewayConfig } from '../config/gateway-env.js';
import { GatewayMetrics } from '../metrics.js';
import { CredentialChecks } from './credential-checks.js';
import { ReplicaLease } from './replica-lease.js';
import { RevocationLog } from './revocation-log.js';

/** Valid credentials remembered. */
const MAX_CACHED = 50_000;
/** Refused credentials remembered: few and briefly, so that a flood of guesses cannot push anything out. */
const MAX_CACHED_REFUSALS = 5_000;
const REFUSAL_CACHE_MS = 5_000;
/** Credentials remembered as valid not long ago, by fingerprint only. */
const MAX_RECENTLY_VALID = 50_000;
/** Milliseconds since a credential was last found valid. */
const RECENTLY_VALID_MS = 3_600_000;
/** Different credentials being asked about at one time. */
const MAX_LOOKUPS_IN_FLIGHT = 1_000;
/** Stands in the log for every credential that was refused: whose they are is not known. */
const REFUSED = 'refused credentials';
/** Questions about one credential of which something keeps changing while it is asked about. */
const MAX_ATTEMPTS = 3;
/** Milliseconds that a request waits for identity about a key that is cached but has to be asked about anew. */
const RECHECK_BUDGET_MS = 250;

/** Who sends a request, with the assertion that services believe. */
export interface AuthenticatedCaller {
  readonly account: AccountAssertion;
  /** Signed; good for longer than the caller is cached. */
  readonly assertion: string;
  /** Absent: the limits of the deployment hold. */
  readonly ratePlan?: AccountRatePlan;
}

interface KnownCaller extends AuthenticatedCaller {
  /** By the clock of the lease. */
  readonly askedAtMs: number;
  /** Ids of all that the credential depends on: its account, its key, its plan, and what else identity named. */
  readonly subjects: readonly string[];
}

/** Knows who a credential belongs to, from memory where it can. Concurrent questions about one credential share one. */
@Injectable()
export class CredentialDirectory {
  private readonly known: ExpiringCache<string, KnownCaller>;
  private readonly refused: ExpiringCache<string, true>;
  /** Credential to the id of its key. */
  private readonly recentlyValid: ExpiringCache<string, string>;
  private readonly inFlight = new Map<string, Promise<AuthenticatedCaller | undefined>>();
  private readonly revocations = new RevocationLog();

  constructor(
    @Inject(CredentialChecks) private readonly checks: Pick<CredentialChecks, 'verify' | 'sign'>,
    @Inject(ReplicaLease) private readonly lease: Pick<ReplicaLease, 'nowMs' | 'covers'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'credentialCacheMs'>,
    @Inject(GatewayMetrics) private readonly metrics: { readonly credentialCacheHits: Pick<Counter, 'inc'> },
  ) {
    this.known = new ExpiringCache(MAX_CACHED, clock);
    this.refused = new ExpiringCache(MAX_CACHED_REFUSALS, clock);
    this.recentlyValid = new ExpiringCache(MAX_RECENTLY_VALID, clock);
  }

  /**
   * As `resolve`, but asks only about a credential that was valid within the last hour: a guess never is. `undefined`
   * also for every other one.
   */
  resolveFamiliar(credential: string): AuthenticatedCaller | undefined | Promise<AuthenticatedCaller | undefined> {
    const key = keyOf(credential);
    const familiar = this.known.get(key) !== undefined || this.recentlyValid.get(key) !== undefined;
    return familiar ? this.resolve(credential) : undefined;
  }

  /** `undefined`: not a valid credential. Throws `AppError` 503 when too many are being asked about, or the credential keeps changing. */
  resolve(credential: string): AuthenticatedCaller | undefined | Promise<AuthenticatedCaller | undefined> {
    const key = keyOf(credential);
    const caller = this.known.get(key);
    if (caller === undefined) return this.ask(key, credential);
    if (this.lease.covers(caller.askedAtMs)) {
      this.metrics.credentialCacheHits.inc();
      return caller;
    }
    return this.recheck(key, credential);
  }

  /**
   * Asks identity about a key that is cached, because a revocation may have been answered without this replica. Where
   * identity does not answer, nothing can be revoked either, and what is cached lasts as long as it would have. What has
   * ended or was evicted meanwhile is as what was never cached: only identity can tell whether it is valid.
   */
  private async recheck(key: string, credential: string): Promise<AuthenticatedCaller | undefined> {
    const late = new AbortController();
    try {
      const asked = Promise.resolve(this.ask(key, credential));
      const patience = delay(RECHECK_BUDGET_MS, late.signal).then(() => this.known.get(key) ?? asked);
      return await Promise.race([asked, patience]);
    } catch (error) {
      const cached = this.known.get(key);
      if (cached === undefined) throw error;
      return cached;
    } finally {
      late.abort();
    }
  }

  private ask(
    key: string,
    credential: string,
  ): AuthenticatedCaller | undefined | Promise<AuthenticatedCaller | undefined> {
    if (this.refused.get(key) !== undefined) {
      this.metrics.credentialCacheHits.inc();
      return undefined;
    }
    const running = this.inFlight.get(key);
    if (running !== undefined) return running;
    if (this.inFlight.size >= MAX_LOOKUPS_IN_FLIGHT) throw new AppError('service_unavailable');
    const lookup = this.lookUp(key, credential).finally(() => this.inFlight.delete(key));
    this.inFlight.set(key, lookup);
    return lookup;
  }

  /**
   * Forgets every credential that depends on a key, a token or a client that was revoked, and keeps answers that are on
   * their way from bringing it back.
   */
  revoke(subject: string): void {
    this.refresh(subject);
    this.recentlyValid.deleteWhere((id) => id === subject);
  }

  /**
   * As `revoke`, for what still is valid, but is not what it was: an account, a plan, the limits of a key. Its credentials
   * stay familiar.
   */
  refresh(subject: string): void {
    this.revocations.record(subject);
    this.known.deleteWhere(({ subjects }) => subjects.includes(subject));
  }

  /** Asks anew about every credential that was refused: one of them may be valid again. */
  reconsiderRefused(): void {
    this.revocations.record(REFUSED);
    this.refused.deleteWhere(() => true);
  }

  private async lookUp(key: string, credential: string): Promise<AuthenticatedCaller | undefined> {
    let wasValid = false;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const epoch = this.revocations.now();
      const askedAtMs = this.lease.nowMs();
      const verified = await this.checks.verify(credential);
      const usableMs = this.usableMs(verified);
      wasValid = verified !== undefined && usableMs > 0;
      if (verified === undefined || !wasValid) {
        if (this.revocations.revokedSince(epoch, REFUSED)) continue;
        this.refused.set(key, true, REFUSAL_CACHE_MS);
        this.known.delete(key);
        this.recentlyValid.delete(key);
        return undefined;
      }
      const { assertion: account, ratePlan } = verified;
      const subjects = subjectsOf(verified);
      const assertion = await this.checks.sign(account);
      const caller = { account, assertion, ...(ratePlan && { ratePlan }), askedAtMs, subjects };
      if (!this.revocations.revokedSince(epoch, ...subjects)) {
        this.known.set(key, caller, Math.min(usableMs, this.config.credentialCacheMs));
        this.recentlyValid.set(key, account.apiKeyId ?? '', RECENTLY_VALID_MS);
        return caller;
      }
    }
    // To a client a 401 is final; what is valid is so again once nothing changes for the moment of a question.
    if (wasValid)
      throw new AppError('service_unavailable', 'What this credential may do is changing. Try again in a moment.');
    return undefined;
  }

  /** Milliseconds until the credential ends by itself. */
  private usableMs(verified: VerifiedCredential | undefined): number {
    return verified?.expiresAt === undefined ? Infinity : Date.parse(verified.expiresAt) - this.clock.nowMs();
  }
}

function subjectsOf({ assertion, ratePlan, endsWith = [] }: VerifiedCredential): string[] {
  const { accountId, apiKeyId, oauthClientId, projectId } = assertion;
  const subjects = [accountId, apiKeyId, oauthClientId, projectId, ratePlan?.name, ...endsWith];
  return subjects.filter((subject) => subject !== undefined);
}

/** Memory holds this hash of a credential, and never the credential. */
const keyOf = (credential: string): string => createHash('sha256').update(credential).digest('base64');
