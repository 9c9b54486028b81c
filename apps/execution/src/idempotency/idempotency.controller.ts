import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, type JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount } from '@capability-router/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type pg from 'pg';
import { ANSWER_KEEPER, EXECUTION_POOL } from '../tokens.js';
import { faultOfKey } from './idempotency-key.js';
import type { AnswerKeeper } from './kept-answer.js';
import { findKey } from './key-store.js';
import { replayOf } from './replay.js';

/** What became of a Call, by its idempotency key. */
export interface KeyedExecution {
  /** `unavailable`: it ended, and its own answer is not there; `response` is what the same request is answered now. */
  readonly status: 'pending' | 'completed' | 'unavailable';
  readonly execution_id: string;
  /** In Execute shape; absent while it runs. */
  readonly response?: JsonObject;
}

@Controller('api/v1/tools/executions')
export class IdempotencyController {
  constructor(
    @Inject(EXECUTION_POOL) private readonly pool: pg.Pool,
    @Inject(ANSWER_KEEPER) private readonly keeper: AnswerKeeper,
  ) {}

  @Get('by-idempotency-key')
  @AllowCallers('gateway')
  async lookUp(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query('key') key: unknown,
  ): Promise<ApiResponse<KeyedExecution>> {
    const fault = faultOfKey(key, ['query', 'key']);
    if (fault !== undefined) throw new AppError('validation_error', `key: ${fault.msg}.`, { details: [fault] });
    const found = await findKey(this.pool, { accountId, route: 'tools/execute', key: String(key) });
    if (found?.kind !== 'bound') throw new AppError('not_found', 'No call of this account has this idempotency key.');
    const { executionId } = found.key;
    if (found.key.state === 'running') {
      return apiSuccess({ status: 'pending', execution_id: executionId }, 'The call is still running');
    }
    const { body, whole } = await replayOf(found.key, this.keeper);
    const status = whole ? 'completed' : 'unavailable';
    return apiSuccess({ status, execution_id: executionId, response: body }, 'Call retrieved');
  }
}
