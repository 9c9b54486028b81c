import { AppError, type Clock } from '@capability-router/kernel';
import { AllowCallers } from '@capability-router/service-kit';
import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { EXECUTION_CLOCK, RESULT_LINK_KEY, RESULT_STORE } from '../tokens.js';
import { checkResultToken } from './result-link.js';
import type { ResultStore } from './result-store.js';

const GONE = 410;

/** Full results behind signed links: the link is the credential, so there is no account. */
@Controller('api/v1/results')
export class ResultsController {
  constructor(
    @Inject(RESULT_STORE) private readonly store: ResultStore,
    @Inject(RESULT_LINK_KEY) private readonly linkKey: Buffer,
    @Inject(EXECUTION_CLOCK) private readonly clock: Clock,
  ) {}

  @Get(':token')
  @AllowCallers('gateway')
  async download(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const checked = checkResultToken(this.linkKey, token, this.clock.nowMs());
    if (checked.status === 'forged') throw new AppError('not_found');
    const found = checked.status === 'valid' ? await this.store.read(checked.executionId) : undefined;
    if (found === undefined || checked.status !== 'valid') {
      const message = 'The link has expired. Call the tool again, or ask for less with respond_with=fields:….';
      await reply.status(GONE).header('cache-control', 'no-store').send({ status: 'failure', message });
      return;
    }
    // Provider text is untrusted: no browser may show it as a page or guess another type.
    await reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-length', found.sizeBytes)
      .header('content-disposition', `attachment; filename="${checked.executionId}.json"`)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store')
      .send(found.stream);
  }
}
