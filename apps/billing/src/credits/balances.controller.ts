import type { AccountBalancesResponse } from '@capability-router/contracts';
import { AllowCallers, POOL, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import type pg from 'pg';
import { readBalances } from './credits.sql.js';

/** Accounts of one question. */
const MAX_ACCOUNTS = 100;
/** Characters. */
const MAX_ID_LENGTH = 64;

class AccountBalancesBody {
  @IsArray()
  @ArrayMaxSize(MAX_ACCOUNTS)
  @IsString({ each: true })
  @MaxLength(MAX_ID_LENGTH, { each: true })
  accountIds: string[];
}

@Controller('internal')
export class BalancesController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** The balances of the accounts on one page of a list. */
  // The router takes `::` for a literal colon.
  @Post('accounts::balances')
  @HttpCode(200)
  @AllowCallers('identity')
  async balances(@Body() body: unknown): Promise<AccountBalancesResponse> {
    const { accountIds } = requireValid(AccountBalancesBody, body);
    const rows = await readBalances(this.pool, accountIds);
    const told = rows.map(({ account_id: accountId, balance, held }) => [
      accountId,
      { balanceMicroCredits: balance, heldMicroCredits: held },
    ]);
    return { balances: Object.fromEntries(told) as AccountBalancesResponse['balances'] };
  }
}
