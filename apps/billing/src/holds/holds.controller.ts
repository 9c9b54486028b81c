import type {
  AccountAssertion,
  AvailableCreditsResponse,
  ContextName,
  PlaceHoldResponse,
  ReleaseHoldsResponse,
} from '@capability-router/contracts';
import {
  AppError,
  creditsFromMicro,
  isAccountId,
  isExecutionId,
  isSearchId,
  type Clock,
} from '@capability-router/kernel';
import {
  AllowCallers,
  CLOCK,
  CONFIG,
  CurrentAccount,
  CurrentCaller,
  MAX_SESSION_ID_LENGTH,
  POOL,
  requireValid,
} from '@capability-router/service-kit';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsISO8601,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { budgetsOfCredential } from '../budgets/domain/budgets-of-credential.js';
import type { BillingConfig } from '../config.js';
import { availableMicroCredits } from '../credits/credits.sql.js';
import { allowanceOf } from '../daily-free/domain/daily-allowance.js';
import type { BillableId } from './domain/billable-id.js';
import { forestallHolds } from './forestall-holds.sql.js';
import { HoldGroups } from './hold-groups.js';
import { releaseHolds } from './release-holds.sql.js';

/** The amount of a hold: above 0. */
const MICRO_CREDITS = /^[1-9]\d{0,15}$/;

class PlaceHoldBody {
  @IsOptional() @IsString() executionId?: string;
  @IsOptional() @IsString() searchId?: string;
  @IsString() accountId: string;
  @Matches(MICRO_CREDITS) amountMicroCredits: string;
  /** Sent by older builds. A hold has no end of its own: whoever it was placed for is asked. */
  @IsOptional() @IsISO8601() expiresAt?: string;
  @IsOptional() @IsString() @MaxLength(MAX_SESSION_ID_LENGTH) sessionId?: string;
}

/** Executions or searches of one request to release. */
const MAX_RELEASED = 100;

class ForestalledHoldBody {
  @IsString() billableId: string;
  @Matches(/^acc_[0-9a-f]{32}$/) accountId: string;
  @Matches(MICRO_CREDITS) amountMicroCredits: string;
}

class ReleaseHoldsBody {
  @IsArray() @ArrayMaxSize(MAX_RELEASED) @IsString({ each: true }) billableIds: string[];
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_RELEASED)
  @ValidateNested({ each: true })
  @Type(() => ForestalledHoldBody)
  forestalled?: ForestalledHoldBody[];
}

const statusCodes = { held: 200, insufficient_credits: 402, budget_exceeded: 402, conflict: 409 } as const;

/** Holds for executions and billed searches; never on a public listener. */
@Controller('internal')
export class HoldsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(HoldGroups) private readonly groups: HoldGroups,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  @Post('holds')
  @HttpCode(200)
  @AllowCallers('execution', 'registry')
  async place(
    @CurrentCaller() caller: ContextName,
    @CurrentAccount() account: AccountAssertion,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlaceHoldResponse> {
    const hold = requireValid(PlaceHoldBody, body);
    const { accountId, amountMicroCredits } = hold;
    const billableId = billableIdOf(caller, hold);
    if (!isAccountId(accountId)) throw new AppError('validation_error', 'accountId is malformed.');
    if (account.accountId !== accountId) throw new AppError('forbidden', 'The caller vouches for another account.');
    const now = this.clock.nowMs();
    const response = await this.groups.place({
      billableId,
      accountId,
      amount: creditsFromMicro(BigInt(amountMicroCredits)),
      inquireAfter: new Date(now + this.config.holdInquiryAgeMs),
      now: new Date(now),
      budgets: budgetsOfCredential(account, hold.sessionId, now),
      allowance: allowanceOf(account, this.config.dailyFreeCredits, now),
    });
    void reply.status(statusCodes[response.status]);
    return response;
  }

  /**
   * Gives back what was held for executions or searches whose recorded end charges nothing, without waiting for their
   * events, which find the holds ended. Who runs them alone knows, and says so once the end is durable. Where it does not
   * know whether a hold was placed, it is released if it is there, and else can never be placed.
   */
  // The router takes `::` for a literal colon.
  @Post('holds::release')
  @HttpCode(200)
  @AllowCallers('execution', 'registry')
  async release(@CurrentCaller() caller: ContextName, @Body() body: unknown): Promise<ReleaseHoldsResponse> {
    const { billableIds, forestalled = [] } = requireValid(ReleaseHoldsBody, body);
    const ids = [...billableIds, ...forestalled.map(({ billableId }) => billableId)];
    if (!ids.every(caller === 'execution' ? isExecutionId : isSearchId)) {
      throw new AppError('validation_error', `An id is not of what ${caller} runs.`);
    }
    const now = new Date(this.clock.nowMs());
    await forestallHolds(this.pool, forestalled, now);
    return { released: await releaseHolds(this.pool, ids, now) };
  }

  @Get('accounts/:accountId/available')
  @AllowCallers('registry', 'execution', 'capability-routing', 'identity')
  async available(@Param('accountId') accountId: string): Promise<AvailableCreditsResponse> {
    if (!isAccountId(accountId)) throw new AppError('not_found');
    return { availableMicroCredits: await availableMicroCredits(this.pool, accountId) };
  }
}

/** Each service reserves for what it runs itself, so that the sweeper knows by the id whom to ask. */
function billableIdOf(caller: ContextName, { executionId, searchId }: PlaceHoldBody): BillableId {
  if (caller === 'execution' && searchId === undefined && executionId !== undefined && isExecutionId(executionId)) {
    return executionId;
  }
  if (caller === 'registry' && executionId === undefined && searchId !== undefined && isSearchId(searchId)) {
    return searchId;
  }
  throw new AppError('validation_error', `A hold of ${caller} needs the id of what ${caller} runs, and no other.`);
}
