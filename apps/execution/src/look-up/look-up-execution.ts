import { BILLING, POOL, type ServiceClient } from '@capability-router/service-kit';
import { wasAskedToRetry } from '@capability-router/contracts';
import { AppError, ZERO_CREDITS, type AccountId, type ExecutionId } from '@capability-router/kernel';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { ExecutionEnd } from '../call/journal/domain/execution-end.js';
import { idempotentRoutes } from '../call/request/domain/key-claim.js';
import { AnswerKeeper } from '../idempotency/kept-answer.js';
import { findKey } from '../idempotency/key-store.sql.js';
import { askSettlement } from './ask-settlement.js';
import { endedAnswer } from './ended-answer.js';
import { endedView, pendingView, type ExecutionLookUp, type Settlement } from './execution-view.js';
import { findExecution } from './find-execution.sql.js';

/** Seconds after which it may be asked again for an execution that could still begin. */
const RETRY_AFTER_SECONDS = 2;

/** Tells what became of an execution, from its record and from billing. */
@Injectable()
export class LookUpExecution {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(AnswerKeeper) private readonly keeper: AnswerKeeper,
    @Inject(BILLING) private readonly billing: ServiceClient,
  ) {}

  /** A Call goes before a query with the same key. Throws `not_found` where no call of the account holds the key. */
  async byKey(accountId: AccountId, key: string): Promise<ExecutionLookUp> {
    for (const route of idempotentRoutes) {
      const found = await findKey(this.pool, { accountId, route, key });
      if (found?.kind === 'bound') return this.byId(accountId, found.key.executionId);
    }
    throw new AppError('not_found', 'No call of this account has this idempotency key.');
  }

  /** Throws `execution_pending` or `execution_never_ran` where the account has no such execution. */
  async byId(accountId: AccountId, executionId: ExecutionId): Promise<ExecutionLookUp> {
    const found = await findExecution(this.pool, accountId, executionId);
    switch (found.state) {
      case 'unknown':
        throw found.mayStart
          ? new AppError('execution_pending', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })
          : new AppError('execution_never_ran');
      case 'pending':
        return pendingView(executionId);
      case 'ended': {
        const { end, answer } = found;
        if (end.type === 'ExecutionInterrupted' && wasAskedToRetry(end.data)) {
          throw new AppError('execution_never_ran');
        }
        const [ended, settlement] = await Promise.all([
          endedAnswer(executionId, end, answer, this.keeper),
          this.settlementOf(accountId, executionId, end),
        ]);
        return endedView(executionId, end, ended, settlement);
      }
    }
  }

  /** Where billing does not answer, the call is not known to be settled. */
  private async settlementOf(accountId: AccountId, executionId: ExecutionId, end: ExecutionEnd): Promise<Settlement> {
    if (end.data.bill.listAmountMicroCredits === '0') return { state: 'not_applicable', amount: ZERO_CREDITS };
    return (await askSettlement(this.billing, accountId, executionId)) ?? { state: 'pending' };
  }
}
