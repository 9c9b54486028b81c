import { apiSuccess } from '@capability-router/contracts';
import type { AccountAssertion, ApiResponse } from '@capability-router/contracts';
import { AppError, creditsFromNumber, creditsToNumber, toIso } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, inTransaction, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { normalizeEmail } from '../accounts/account.js';
import { initialGrantFor } from '../accounts/initial-grant.js';
import { openAccount } from '../accounts/open-account.js';
import { IDENTITY } from '../context.js';
import type { IdentityContext } from '../context.js';
import { CreateAccountRequest } from './create-account.request.js';
import { requireAdmin } from './require-admin.js';

export interface CreatedAccount {
  readonly account_id: string;
  readonly kind: string;
  readonly name: string;
  readonly email?: string;
  /** Credits; billing books them as soon as it has read the event. */
  readonly initial_credits: number;
  readonly created_at: string;
}

@Controller('admin/v1/accounts')
export class AdminAccountsController {
  constructor(@Inject(IDENTITY) private readonly identity: IdentityContext) {}

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
    const { pool, clock, config } = this.identity;
    const nowMs = clock.nowMs();
    const grant = initialGrantFor(
      kind,
      config.policy,
      nowMs,
      credits === undefined ? undefined : creditsFromNumber(credits),
    );
    const result = await inTransaction(pool, (tx) => openAccount(tx, { kind, name, ...contact, grant, nowMs }));
    if (result.status === 'email_taken') throw new AppError('conflict', 'Another account has this e-mail address.');
    this.identity.committed();
    return apiSuccess({
      account_id: result.accountId,
      kind,
      name,
      ...contact,
      initial_credits: creditsToNumber(grant.amount),
      created_at: toIso(nowMs),
    });
  }
}
