import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, creditsFromNumber, creditsToNumber, toIso, type Clock } from '@capability-router/kernel';
import {
  AllowCallers,
  BILLING,
  CLOCK,
  COMMITTED,
  CONFIG,
  CurrentAccount,
  inTransaction,
  POOL,
  requireAdmin,
  requireValid,
  type ServiceClient,
} from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import type pg from 'pg';
import type { IdentityConfig } from '../config.js';
import { awaitGrant } from './await-grant.js';
import { CreateAccountRequest } from './create-account.request.js';
import { initialGrantFor } from './initial-grant.js';
import { takeWelcomeBonus } from '../welcome-bonuses/take-welcome-bonus.js';
import { openAccount } from './open-account.js';

export interface CreatedAccount {
  readonly account_id: string;
  readonly kind: string;
  readonly name: string;
  readonly email?: string;
  /** ISO 3166-1 alpha-2. */
  readonly region?: string;
  /** Credits. */
  readonly initial_credits: number;
  /** They are not booked yet, and will be. */
  readonly credits_ready?: false;
  readonly created_at: string;
}

/** Opens accounts as administrators want them. */
@Controller('admin/v1/accounts')
export class AccountsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
    @Inject(BILLING) private readonly billing: ServiceClient,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  @Post()
  @HttpCode(201)
  @AllowCallers('gateway')
  async create(
    @CurrentAccount() caller: AccountAssertion,
    @Body() body: unknown,
  ): Promise<ApiResponse<CreatedAccount>> {
    requireAdmin(caller);
    const request = requireValid(CreateAccountRequest, body);
    const { kind, name } = request;
    const credits = request.initial_credits ?? undefined;
    const contact = request.email ? { email: request.email } : {};
    const place = request.region ? { region: request.region } : {};
    const nowMs = this.clock.nowMs();
    const grant = initialGrantFor(
      kind,
      this.config.policy,
      nowMs,
      credits === undefined ? undefined : creditsFromNumber(credits),
    );
    const pepper = this.config.mail?.pepper;
    const result = await inTransaction(this.pool, async (tx) => {
      const opened = await openAccount(tx, { kind, name, ...contact, ...place, grant, nowMs });
      // Whoever was given a bonus here gets none by a claim once this account is erased.
      const mailbox = grant.category === 'welcome_bonus' ? opened.emailCanonical : undefined;
      if (mailbox !== undefined && pepper !== undefined) await takeWelcomeBonus(tx, pepper, mailbox, nowMs);
      return opened;
    });
    if (result.status === 'email_taken') throw new AppError('conflict', 'Another account has this e-mail address.');
    this.committed();
    const isReady = await awaitGrant(this.billing, result.accountId, grant);
    return apiSuccess({
      account_id: result.accountId,
      kind,
      name,
      ...(result.email === undefined ? {} : { email: result.email }),
      ...place,
      initial_credits: creditsToNumber(grant.amount),
      ...(isReady ? {} : { credits_ready: false as const }),
      created_at: toIso(nowMs),
    });
  }
}
