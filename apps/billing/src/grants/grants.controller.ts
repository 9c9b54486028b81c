import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, POOL, requireAdmin, requireValid } from '@capability-router/service-kit';
import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type pg from 'pg';
import { AdminCommands } from '../admin-commands/admin-commands.js';
import { commandOf, Received, type ReceivedCommand } from '../admin-commands/received-command.js';
import { requireAccountId } from '../admin-requests/admin-request.js';
import { creditsOf } from '../admin-requests/fields.js';
import { grantToAccount } from './grant-to-account.js';
import { GrantPageQuery, GrantRequest, paidBy } from './grant.requests.js';
import { listGrants } from './list-grants.sql.js';

/** Grants as administrators command them, and what is left of each. */
@Controller('admin/v1/accounts/:accountId/grants')
export class GrantsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(AdminCommands) private readonly commands: AdminCommands,
  ) {}

  /** Top-ups, rewards and bonuses. Needs an `Idempotency-Key`. */
  @Post()
  @HttpCode(201)
  @AllowCallers('gateway')
  grant(@Received() received: ReceivedCommand): Promise<ApiResponse<JsonObject>> {
    const { accountId, body, reply } = received;
    const wanted = requireValid(GrantRequest, body);
    const { category, amount_credits: amount, expires_at: expiresAt, reference } = wanted;
    const grant = {
      accountId,
      category,
      amount: creditsOf(amount),
      expiresAt: expiresAt ?? null,
      reference: reference ?? undefined,
      paid: paidBy(wanted),
    };
    const command = commandOf('grant', received, wanted);
    return this.commands.run(command, reply, (tx, clock) => grantToAccount(tx, grant, clock));
  }

  @Get()
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') account: string,
    @Query() query: unknown,
  ): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    const { before, limit } = requireValid(GrantPageQuery, query, { location: 'query', allowUnknown: true });
    return apiSuccess(await listGrants(this.pool, requireAccountId(account), before, limit));
  }
}
