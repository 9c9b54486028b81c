import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import {
  AppError,
  creditsFromNumber,
  creditsToNumber,
  isAccountId,
  toIso,
  type Clock,
} from '@capability-router/kernel';
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
import { Body, Controller, Delete, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type pg from 'pg';
import { normalizeEmail } from '../accounts/account.js';
import { awaitGrant } from '../accounts/await-grant.js';
import { eraseAccount } from '../erasure/erase-account.js';
import { initialGrantFor } from '../accounts/initial-grant.js';
import { openAccount } from '../accounts/open-account.js';
import type { IdentityConfig } from '../config.js';
import { awaitEviction } from '../evictions/await-eviction.js';
import { CreateAccountRequest } from './create-account.request.js';

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

export interface ErasedAccount {
  readonly account_id: string;
  readonly erased_at: string;
  /** Not every replica of the gateway has confirmed that it refuses the account's keys. */
  readonly pending?: true;
}

@Controller('admin/v1/accounts')
export class AdminAccountsController {
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
    const contact = request.email ? { email: normalizeEmail(request.email) } : {};
    const place = request.region ? { region: request.region } : {};
    const nowMs = this.clock.nowMs();
    const grant = initialGrantFor(
      kind,
      this.config.policy,
      nowMs,
      credits === undefined ? undefined : creditsFromNumber(credits),
    );
    const result = await inTransaction(this.pool, (tx) =>
      openAccount(tx, { kind, name, ...contact, ...place, grant, nowMs }),
    );
    if (result.status === 'email_taken') throw new AppError('conflict', 'Another account has this e-mail address.');
    this.committed();
    const isReady = await awaitGrant(this.billing, result.accountId, grant);
    return apiSuccess({
      account_id: result.accountId,
      kind,
      name,
      ...contact,
      ...place,
      initial_credits: creditsToNumber(grant.amount),
      ...(isReady ? {} : { credits_ready: false as const }),
      created_at: toIso(nowMs),
    });
  }

  /**
   * Erases whom the account belongs to; its ledger stays. Keys end before the answer, or it says `pending`; what other
   * services keep goes within seconds.
   * Repeating it answers as the first time did.
   */
  @Delete(':accountId')
  @AllowCallers('gateway')
  async erase(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') accountId: string,
  ): Promise<ApiResponse<ErasedAccount>> {
    requireAdmin(caller);
    if (!isAccountId(accountId)) throw new AppError('not_found');
    if (accountId === caller.accountId) {
      throw new AppError('conflict', 'An account cannot erase itself. Use a key of another administrator.');
    }
    const nowMs = this.clock.nowMs();
    const result = await inTransaction(this.pool, (tx) => eraseAccount(tx, accountId, nowMs));
    if (result.status === 'unknown_account') throw new AppError('not_found');
    if (result.status === 'erased') this.committed();
    const evicted = await awaitEviction(this.pool, accountId, { revokedAtMs: result.erasedAtMs, nowMs });
    const pending = evicted ? {} : { pending: true as const };
    return apiSuccess({ account_id: accountId, erased_at: toIso(result.erasedAtMs), ...pending });
  }
}
