import { apiSuccess, publicHeaders, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, isExecutionId, usageEventIdOf, type ExecutionId, type JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, requireAdmin, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { OutcomeReviser, revisedReasons, type RevisedReason } from './revise-outcome.js';

/** Characters. */
const MAX_REFERENCE_LENGTH = 128;

/** Body of `POST /admin/v1/executions/{execution_id}/outcome-revisions`. */
export class RevisionRequest {
  @IsIn(revisedReasons)
  readonly reason_code: RevisedReason;

  /** A reference to the operator's own books, such as a ticket. It stays for ever, so it names no person. */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_REFERENCE_LENGTH)
  @Matches(/^[A-Za-z0-9][A-Za-z0-9._:/#-]*$/, {
    message: '$property must be letters, digits and . _ : / # - only, and begin with a letter or digit',
  })
  readonly reference?: string | null;
}

/** Reports of operators and providers that a call which had succeeded was a failure. */
@Controller('admin/v1/executions')
export class RevisionsController {
  constructor(@Inject(OutcomeReviser) private readonly reviser: OutcomeReviser) {}

  /** Idempotent by the execution: it is revised once. */
  @Post(':executionId/outcome-revisions')
  @HttpCode(201)
  @AllowCallers('gateway')
  async revise(
    @CurrentAccount() caller: AccountAssertion,
    @Param('executionId') id: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    if (!isExecutionId(id)) throw new AppError('not_found', 'There is no such execution.');
    const executionId: ExecutionId = id;
    const { reason_code: reasonCode, reference } = requireValid(RevisionRequest, body);
    const { revision, repeated } = await this.reviser.revise({
      executionId,
      reasonCode,
      reference: reference ?? undefined,
      revisedBy: caller.apiKeyId ?? caller.accountId,
    });
    if (repeated) void reply.header(publicHeaders.idempotencyReplayed, 'true');
    return apiSuccess({
      execution_id: revision.executionId,
      usage_event_id: usageEventIdOf(executionId),
      account_id: revision.accountId,
      outcome: revision.outcome,
      reason_code: revision.reasonCode,
      previous_outcome: revision.previousOutcome,
      previous_reason_code: revision.previousReasonCode,
      ...(revision.reference === undefined ? {} : { reference: revision.reference }),
      revised_by: revision.revisedBy,
      revised_at: revision.revisedAt,
    });
  }
}
