import { negotiateLanguage } from '@capability-router/contracts';
import {
  AppError,
  isJsonObject,
  newSearchId,
  toIso,
  usageEventIdOf,
  type Clock,
  type SearchId,
} from '@capability-router/kernel';
import { AllowCallers, CLOCK, messageOfDetails, RemainingCredits } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf, type Caller } from '../caller.js';
import type { Discovery } from '../discovery/discovery.js';
import { DiscoveryRecorder } from '../discovery/discovery-recorder.js';
import { keepablePayload, keepableText } from '../discovery/request-payload.js';
import { SemanticSearch } from '../embedding/semantic-search.js';
import { SearchCharge } from '../search-price/search-charge.js';
import { unaffordableSearch, type UnaffordableSearch } from '../search-price/unaffordable-search.js';
import { KnownStatistics } from '../tool-result/known-statistics.js';
import { ToolStanding } from '../tool-result/tool-standing.js';
import { DescriptionCache } from './description-cache.js';
import { noticeOf } from './notice.js';
import { searchRequestMembers, validateSearch } from './search.request.js';
import { toSearchResults, type SearchResponse } from './search.response.js';

/** Nearest tools whose categories a notice may name. */
const NOTICED_TOOLS = 10;

@Controller()
export class SearchController {
  private readonly descriptions = new DescriptionCache();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SemanticSearch) private readonly searcher: SemanticSearch,
    @Inject(KnownStatistics) private readonly statistics: KnownStatistics,
    @Inject(ToolStanding) private readonly standing: ToolStanding,
    @Inject(DiscoveryRecorder) private readonly recorder: DiscoveryRecorder,
    @Inject(RemainingCredits) private readonly credits: RemainingCredits,
    @Inject(SearchCharge) private readonly charge: SearchCharge,
  ) {}

  /** Discover. Free unless the deployment bills it; leaves exactly one usage event, also when it is refused. */
  @Post('api/v1/search')
  @HttpCode(200)
  @AllowCallers('gateway')
  async search(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SearchResponse | UnaffordableSearch> {
    const startedMs = performance.now();
    const { clock, searcher, statistics, recorder, credits, charge } = this;
    const caller = callerOf(request);
    const searchId = newSearchId(clock.nowMs());
    const outcome = (result: Pick<Discovery, 'toolIds' | 'refusal' | 'sessionId' | 'charge'>): Discovery => ({
      ...this.factsOf(body, searchId, caller),
      ...result,
      durationMs: performance.now() - startedMs,
      completedAt: toIso(clock.nowMs()),
    });

    const valid = validateSearch(body);
    if (!valid.ok) {
      const message = messageOfDetails(valid.error);
      await recorder.record(outcome({ toolIds: [], refusal: { message, httpStatusCode: 422 } }));
      throw new AppError('validation_error', message, { details: valid.error });
    }
    const { query, limit, session_id: sessionId, view, lang } = valid.value;
    const session = sessionId == null ? {} : { sessionId };
    const held = await charge.reserve(searchId, caller, sessionId ?? undefined);
    if (held !== undefined && held.status !== 'held') {
      const reasonCode = held.status === 'payment_required' ? 'insufficient_credits' : held.status;
      const refusal = { message: held.message, httpStatusCode: 402, reasonCode } as const;
      await recorder.record(outcome({ toolIds: [], refusal, ...session }));
      void reply.status(402);
      return unaffordableSearch(query, held);
    }
    const remainingCredits = held === undefined ? credits.ask(caller.account.accountId, caller.assertion) : undefined;
    const language = negotiateLanguage(lang ?? undefined, caller.acceptLanguage);
    const searched = async () => {
      const answer = await searcher.search(query, limit);
      const found = answer.found.map(({ tool, hit }) => ({ tool, hit, statistics: statistics.ofTool(tool.toolId) }));
      const results = toSearchResults(found, view, language, {
        describe: (tool, of) => this.descriptions.of(tool, of),
        standing: (tool) => this.standing.of(tool, caller.account.region),
      });
      const toolIds = found.map(({ tool }) => tool.toolId);
      const bill = held === undefined ? {} : { charge: held.bill(results.length) };
      await recorder.record(outcome({ toolIds, ...session, ...bill }));
      await held?.recorded(results.length);
      return { answer, results };
    };
    const { answer, results } = await (held === undefined ? searched() : held.untilRecorded(searched));
    const remaining = held === undefined ? remainingCredits?.soFar() : held.remaining(results.length);
    return {
      query,
      search_id: searchId,
      total: results.length,
      results,
      elapsed_time_ms: Math.round((performance.now() - startedMs) * 100) / 100,
      ...(remaining === undefined ? {} : { remaining_credits: remaining }),
      ...(results.length > 0 ? {} : { notice: noticeOf(await searcher.nearest(query, NOTICED_TOOLS), language) }),
      ...(answer.degraded ? { degraded: true as const } : {}),
      error_message: null,
    };
  }

  private factsOf(body: unknown, searchId: SearchId, caller: Caller) {
    const query = isJsonObject(body) ? body['query'] : undefined;
    return {
      kind: 'search' as const,
      usageEventId: usageEventIdOf(searchId),
      searchId,
      account: caller.account,
      ...(typeof query === 'string' ? { query: keepableText(query) } : {}),
      requestPayload: keepablePayload(body, searchRequestMembers),
      requestedCount: 0,
      requestId: caller.requestId,
      ...(caller.traceparent === undefined ? {} : { traceparent: caller.traceparent }),
    };
  }
}
