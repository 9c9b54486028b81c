import { internalHeaders, publicHeaders, type AccountAssertion } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount } from '@capability-router/service-kit';
import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExecuteOncePerKey } from '../idempotency/execute-once-per-key.js';
import { executionIdOf, headerOf, tracedBy } from '../request-headers.js';
import { toldOutcome } from '../told-outcome.js';

/** The public Call route, behind the gateway. */
@Controller('api/v1/tools')
export class ExecuteController {
  constructor(@Inject(ExecuteOncePerKey) private readonly executeTool: ExecuteOncePerKey) {}

  @Post('execute')
  @HttpCode(200)
  @AllowCallers('gateway')
  async execute(
    @CurrentAccount() assertion: AccountAssertion,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    const answer = await this.executeTool.execute({
      executionId: executionIdOf(request),
      assertion,
      assertionToken: headerOf(request, internalHeaders.accountAssertion) ?? '',
      ...tracedBy(request),
      idempotencyKey: headerOf(request, publicHeaders.idempotencyKey),
      raw: {
        queryToolIds: queryToolIdsOf(request),
        cacheMode: headerOf(request, publicHeaders.cacheMode),
        body: request.body,
      },
    });
    void reply.status(answer.httpStatus).headers({ ...answer.headers, ...toldOutcome(answer) });
    return answer.body;
  }
}

function queryToolIdsOf(request: FastifyRequest): string[] {
  const value = (request.query as Readonly<Record<string, string | string[] | undefined>>)['tool_id'];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
