import { finished } from 'node:stream';
import { AppError, type Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CONFIG, POOL } from '@capability-router/service-kit';
import { Controller, Get, Head, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { isClosed } from '../../closed-accounts/closed-accounts.sql.js';
import type { ExecutionConfig } from '../../config.js';
import { KeptResults } from '../store/kept-results.js';
import type { OpenResult, ResultKey } from '../store/result-store.js';
import { DownloadBounds } from './download-bounds.js';
import { checkResultToken } from './result-link.js';
import { goneAnswer, resultAnswer, type DownloadAnswer } from './result-answer.js';

const forged =
  'No result has this link: it was cut or changed. Use full_content_file_url as it is, to the last character.';
const storeAway = 'The full result cannot be read right now. Retry later, with the same link.';
const tooMany = 'Too many results are being downloaded. Retry later, with the same link.';
/** Seconds. */
const RETRY_AFTER_SECONDS = 2;

/** Full results behind signed links: the link is the credential, so there is no account. */
@Controller('api/v1/results')
export class ResultsController {
  private readonly downloads = new DownloadBounds();

  constructor(
    @Inject(KeptResults) private readonly results: KeptResults,
    @Inject(CONFIG) private readonly config: Pick<ExecutionConfig, 'resultLinkKey'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(POOL) private readonly pool: pg.Pool,
  ) {}

  @Head(':token')
  @AllowCallers('gateway')
  head(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.download(token, request, reply);
  }

  @Get(':token')
  @AllowCallers('gateway')
  async download(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const checked = checkResultToken(this.config.resultLinkKey, token, this.clock.nowMs());
    if (checked.status === 'forged') throw new AppError('not_found', forged);
    const answer = checked.status === 'expired' ? goneAnswer : await this.answerOf(checked.result, request);
    await reply.status(answer.status).headers(answer.headers).send(answer.body);
  }

  private async answerOf(key: ResultKey, { method, headers }: FastifyRequest): Promise<DownloadAnswer> {
    const leave = this.downloads.enter(key.accountId);
    if (leave === undefined) throw retryLater(tooMany);
    let found: OpenResult | undefined;
    let content: DownloadAnswer['content'];
    try {
      if (await isClosed(this.pool, key.accountId)) return goneAnswer;
      found = await this.results.open(key);
      if (found === undefined) return goneAnswer;
      const answer = await resultAnswer(found, key.executionId, { headOnly: method === 'HEAD', headers });
      ({ content } = answer);
      return answer;
    } catch (cause) {
      throw retryLater(storeAway, cause);
    } finally {
      // Once it has ended, or whoever reads it has gone.
      if (content !== undefined) finished(content, leave);
      else {
        leave();
        await found?.close().catch(() => undefined);
      }
    }
  }
}

function retryLater(message: string, cause?: unknown): AppError {
  return new AppError('service_unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
