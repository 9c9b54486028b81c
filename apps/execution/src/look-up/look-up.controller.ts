import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, isExecutionId, type AccountId } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount } from '@capability-router/service-kit';
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { faultOfKey } from '../idempotency/idempotency-key.js';
import type { ExecutionLookUp } from './execution-view.js';
import { LookUpExecution } from './look-up-execution.js';

/** Tells what became of a Call, by its id or by its idempotency key. Nothing here runs anything. */
@Controller('api/v1/tools/executions')
export class LookUpController {
  constructor(@Inject(LookUpExecution) private readonly lookUp: LookUpExecution) {}

  @Get('by-idempotency-key')
  @AllowCallers('gateway')
  async byKey(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query('key') key: unknown,
  ): Promise<ApiResponse<ExecutionLookUp>> {
    const fault = faultOfKey(key, ['query', 'key']);
    if (fault !== undefined) throw new AppError('validation_error', `key: ${fault.msg}.`, { details: [fault] });
    return answerOf(await this.lookUp.byKey(accountId as AccountId, String(key)));
  }

  @Get(':executionId')
  @AllowCallers('gateway')
  async byId(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Param('executionId') executionId: string,
  ): Promise<ApiResponse<ExecutionLookUp>> {
    if (!isExecutionId(executionId)) throw malformed(executionId);
    return answerOf(await this.lookUp.byId(accountId as AccountId, executionId));
  }
}

const answerOf = (view: ExecutionLookUp): ApiResponse<ExecutionLookUp> =>
  apiSuccess(view, view.status === 'pending' ? 'The call is still running' : 'Call retrieved');

/** A mistyped id is not answered 404, which would say of its call that it may be repeated. */
const malformed = (input: string): AppError =>
  new AppError('validation_error', 'execution_id must be "exec_" and 32 hex digits, exactly as it was answered.', {
    details: [
      {
        type: 'string_pattern_mismatch',
        loc: ['path', 'execution_id'],
        msg: 'must match ^exec_[0-9a-f]{32}$',
        input,
        allowed: { type: 'string', pattern: '^exec_[0-9a-f]{32}$' },
      },
    ],
  });
