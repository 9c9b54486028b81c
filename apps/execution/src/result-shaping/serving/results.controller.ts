import { AppError, type Clock } from '@capability-router/kernel';
import { AllowCallers } from '@capability-router/service-kit';
import { Controller, Get, Head, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EXECUTION_CLOCK, KEPT_RESULTS, RESULT_LINK_KEY } from '../../tokens.js';
import type { KeptResults } from '../store/kept-results.js';
import type { OpenResult, ResultKey } from '../store/result-store.js';
import { checkResultToken } from './result-link.js';
import { selectBytes } from './select-bytes.js';

const gone = {
  status: 'failure',
  message: 'The link has expired. Call the tool again, or ask for less with respond_with=fields:….',
};

/** Full results behind signed links: the link is the credential, so there is no account. */
@Controller('api/v1/results')
export class ResultsController {
  constructor(
    @Inject(KEPT_RESULTS) private readonly results: KeptResults,
    @Inject(RESULT_LINK_KEY) private readonly linkKey: Buffer,
    @Inject(EXECUTION_CLOCK) private readonly clock: Clock,
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
    const checked = checkResultToken(this.linkKey, token, this.clock.nowMs());
    if (checked.status === 'forged') throw new AppError('not_found');
    const found = checked.status === 'valid' ? await this.results.open(checked.result) : undefined;
    if (found === undefined || checked.status !== 'valid') {
      await reply.status(410).header('cache-control', 'no-store').send(gone);
      return;
    }
    try {
      await answerWith(found, checked.result, request, reply);
    } catch (error) {
      await found.close();
      throw error;
    }
  }
}

async function answerWith(
  found: OpenResult,
  { executionId }: ResultKey,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { sizeBytes } = found;
  // A result is written once, so its name is as good as a digest of its bytes.
  const etag = `"${executionId}"`;
  // `bytes` are asked of a HEAD as of a GET, but only a GET is answered in parts.
  const isHead = request.method === 'HEAD';
  const { range: _ignored, ...headHeaders } = request.headers;
  const selected = selectBytes(isHead ? headHeaders : request.headers, sizeBytes, etag);
  // Provider text is untrusted: no browser may show it as a page or guess another type.
  void reply.headers({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${executionId}.json"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'accept-ranges': 'bytes',
    etag,
  });
  if (selected.status === 416) {
    await found.close();
    const message = `The range begins after the end of the result, which has ${sizeBytes} bytes.`;
    void reply.removeHeader('content-disposition').header('content-range', `bytes */${sizeBytes}`);
    await reply.status(416).send({ status: 'failure', message });
    return;
  }
  if (selected.status === 304 || isHead) {
    await found.close();
    if (selected.status === 200) void reply.header('content-length', sizeBytes);
    await reply.status(selected.status).send();
    return;
  }
  if (selected.status === 200) {
    await reply.header('content-length', sizeBytes).send(await found.read());
    return;
  }
  const { start, end } = selected.range;
  const body = await found.read(selected.range);
  await reply
    .status(206)
    .header('content-range', `bytes ${start}-${end}/${sizeBytes}`)
    .header('content-length', end - start + 1)
    .send(body);
}
