import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, isAccountId, toIso, type Clock } from '@capability-router/kernel';
import {
  AllowCallers,
  CLOCK,
  COMMITTED,
  CurrentAccount,
  inTransaction,
  POOL,
  requireAdmin,
} from '@capability-router/service-kit';
import { Controller, Delete, Inject, Param } from '@nestjs/common';
import type pg from 'pg';
import { refuseEndOfVerification } from '../accounts/account.js';
import { awaitEviction } from '../evictions/await-eviction.js';
import { eraseAccount } from './erase-account.js';

export interface ErasedAccount {
  readonly account_id: string;
  readonly erased_at: string;
  /** Not every replica of the gateway has confirmed that it refuses the account's keys. */
  readonly pending?: true;
}

@Controller('admin/v1/accounts')
export class ErasureController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

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
    refuseEndOfVerification(accountId);
    const nowMs = this.clock.nowMs();
    const result = await inTransaction(this.pool, (tx) => eraseAccount(tx, accountId, nowMs));
    if (result.status === 'unknown_account') throw new AppError('not_found');
    if (result.status === 'erased') this.committed();
    const evicted = await awaitEviction(this.pool, accountId, { revokedAtMs: result.erasedAtMs, nowMs });
    const pending = evicted ? {} : { pending: true as const };
    return apiSuccess({ account_id: accountId, erased_at: toIso(result.erasedAtMs), ...pending });
  }
}
