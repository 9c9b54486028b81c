import { apiSuccess, type AccountAssertion, type AccountState, type ApiResponse } from '@capability-router/contracts';
import { AppError, isAccountId, type Clock } from '@capability-router/kernel';
import {
  AllowCallers,
  CLOCK,
  COMMITTED,
  CurrentAccount,
  inTransaction,
  POOL,
  requireAdmin,
} from '@capability-router/service-kit';
import { Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type pg from 'pg';
import { refuseEndOfVerification } from '../accounts/account.js';
import { awaitChange } from '../evictions/await-change.js';
import { changeAccountState, stateActions } from './change-account-state.js';

export interface ChangedAccount {
  readonly account_id: string;
  readonly state: AccountState;
  readonly changed: boolean;
  /** Not every replica of the gateway has confirmed that it acts by it. */
  readonly pending?: true;
}

/** Administrators decide here what accounts may do. */
@Controller('admin/v1/accounts')
export class AccountStatesController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  /**
   * `{account_id}:suspend`, `:resume`, `:block`, `:unblock`, `:close`. Answers when every living replica of the gateway acts
   * by it, or after a second with `pending`. Repeating one changes nothing, and waits again.
   */
  @Post(':accountIdAndAction')
  @HttpCode(200)
  @AllowCallers('gateway')
  async act(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountIdAndAction') target: string,
  ): Promise<ApiResponse<ChangedAccount>> {
    requireAdmin(caller);
    const [accountId = '', name = '', ...rest] = target.split(':');
    const action = stateActions.find((known) => known === name);
    if (action === undefined || rest.length > 0) {
      const known = stateActions.map((each) => `:${each}`).join(', ');
      throw new AppError('not_found', `There is no such action. An account id is followed by one of: ${known}.`);
    }
    if (!isAccountId(accountId)) throw new AppError('not_found');
    if (accountId === caller.accountId) {
      throw new AppError('conflict', 'An account cannot change its own state. Use a key of another administrator.');
    }
    if (action === 'close') refuseEndOfVerification(accountId);
    const nowMs = this.clock.nowMs();
    const command = { accountId, action, changedBy: caller.accountId, nowMs };
    const result = await inTransaction(this.pool, (tx) => changeAccountState(tx, command));
    if (result.status === 'unknown_account') throw new AppError('not_found');
    if (result.status === 'account_closed') throw new AppError('conflict', 'The account is closed, and stays so.');
    const changed = result.status === 'changed';
    if (changed) this.committed();
    const pending = await awaitChange(this.pool, result.change, nowMs);
    return apiSuccess({ account_id: accountId, state: result.state, changed, ...pending });
  }
}
