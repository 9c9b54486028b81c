import type { VerifyCredentialResponse } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { BILLING, CLOCK, COMMITTED, CONFIG, LOGGER, POOL, type ServiceClient } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import { accountClaims } from '../accounts/account-claims.js';
import { awaitGrant } from '../accounts/await-grant.js';
import type { IdentityConfig } from '../config.js';
import { ratePlanOf } from '../rate-limit-plans/rate-limit-plan.js';
import { ExternalTokens, type ExternalToken } from './external-tokens.js';
import { hashSubject } from './hash-subject.js';
import { openSubjectAccount, type OpenSubjectAccountResult } from './open-subject-account.js';
import { findSharedAccount, findSubjectAccount, type SubjectAccount } from './subject-accounts.sql.js';

/** Milliseconds after its opening in which the first requests of an account may come before its first grant. */
const JUST_OPENED_MS = 5_000;

/** Says what a token of a configured issuer is worth here now. */
@Injectable()
export class ExternalCredentials {
  /** By subject: requests that come together share one opening. */
  private readonly openings = new Map<string, Promise<OpenSubjectAccountResult>>();

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(BILLING) private readonly billing: ServiceClient,
    @Inject(ExternalTokens) private readonly tokens: ExternalTokens,
  ) {}

  /** As for API keys: unknown, malformed, expired and of nobody all answer alike. */
  async verifyCredential(text: string): Promise<VerifyCredentialResponse> {
    const checked = await this.tokens.check(text);
    if (checked.status === 'undecided') return { valid: false, undecided: true };
    if (checked.status !== 'genuine') return { valid: false };
    const { token } = checked;
    const account = (await this.find(token)) ?? (await this.open(token));
    if (account === 'undecided') return { valid: false, undecided: true };
    if (account?.accountStatus !== 'active') return { valid: false };
    await this.awaitWelcome(token, account);
    return {
      valid: true,
      assertion: {
        ...accountClaims(account, this.config.policy),
        credentialType: 'access_token',
        ...(token.clientId === undefined ? {} : { oauthClientId: token.clientId }),
        scopes: token.scopes,
      },
      ratePlan: ratePlanOf(account),
      expiresAt: new Date(token.expiresAtMs).toISOString(),
      ...(account.externalSubjectId === undefined ? {} : { endsWith: [account.externalSubjectId] }),
    };
  }

  /** Could it be used now? Nothing is opened for the question. */
  async isUsable(token: ExternalToken): Promise<boolean> {
    const account = await this.find(token);
    return account === undefined ? token.issuer.openAccounts !== undefined : account.accountStatus === 'active';
  }

  private find({ issuer, subject }: ExternalToken): Promise<SubjectAccount | undefined> {
    const { accountId, iss } = issuer;
    return accountId === undefined
      ? findSubjectAccount(this.pool, hashSubject(iss, subject))
      : findSharedAccount(this.pool, accountId);
  }

  /** Undefined where none is opened. */
  private async open(token: ExternalToken): Promise<SubjectAccount | 'undecided' | undefined> {
    const { issuer, subject } = token;
    const { openAccounts: opening } = issuer;
    if (opening === undefined) return undefined;
    const subjectHash = hashSubject(issuer.iss, subject);
    const nowMs = this.clock.nowMs();
    const pepper = this.config.mail?.pepper;
    const id = subjectHash.toString('hex');
    const running =
      this.openings.get(id) ??
      openSubjectAccount(this.pool, { issuer, subject, subjectHash, opening, pepper, nowMs }).finally(() =>
        this.openings.delete(id),
      );
    this.openings.set(id, running);
    const result = await running;
    if (result === 'opened') this.committed();
    if (result === 'unknown_plan') {
      this.logger.error({ issuer: issuer.name, plan: opening.plan }, 'EXTERNAL_ISSUERS names a plan that there is not');
      return 'undecided';
    }
    if (result === 'capped') {
      this.logger.warn(
        { issuer: issuer.name, perDay: opening.perDay },
        'an external issuer opens no more accounts today',
      );
      return undefined;
    }
    return findSubjectAccount(this.pool, subjectHash);
  }

  /** Whoever comes while the account is new finds its credits, also on another replica. */
  private async awaitWelcome({ issuer }: ExternalToken, { accountId, openedAt }: SubjectAccount): Promise<void> {
    const { openAccounts: opening } = issuer;
    if (opening === undefined || this.clock.nowMs() - openedAt.getTime() >= JUST_OPENED_MS) return;
    await awaitGrant(this.billing, accountId, { amount: opening.welcomeCredits });
  }
}
