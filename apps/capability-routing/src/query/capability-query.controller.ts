import { internalHeaders, publicHeaders, type AccountAssertion } from '@capability-router/contracts';
import { AppError, isExecutionId } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount } from '@capability-router/service-kit';
import { Controller, Headers, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnswerQuery } from './answer-query.js';
import type { QueryAnswer } from './query-answer.js';

@Controller()
export class CapabilityQueryController {
  constructor(@Inject(AnswerQuery) private readonly queries: AnswerQuery) {}

  /** Runs the tool that serves a capability best within a budget, and says why it was chosen. */
  @Post('api/v1/capabilities/query')
  @HttpCode(200)
  @AllowCallers('gateway')
  async query(
    @CurrentAccount() account: AccountAssertion,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(internalHeaders.executionId) executionId: string | undefined,
    @Headers(internalHeaders.accountAssertion) assertion: string | undefined,
    @Headers(publicHeaders.idempotencyKey) idempotencyKey: string | undefined,
  ): Promise<QueryAnswer['body']> {
    if (executionId === undefined || !isExecutionId(executionId)) {
      throw new AppError('internal_error', 'The gateway sent no execution id.');
    }
    const answer = await this.queries.answer({
      executionId,
      requestId: request.id,
      assertion: assertion ?? '',
      account,
      body: request.body,
      idempotencyKey,
    });
    void reply
      .status(answer.httpStatus)
      .headers(answer.headers ?? {})
      .type('application/json; charset=utf-8');
    return answer.body;
  }
}
