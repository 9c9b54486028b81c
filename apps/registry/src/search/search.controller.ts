import { negotiateLanguage } from '@capability-router/contracts';
import { AppError, isJsonObject, newSearchId, toIso, usageEventIdOf } from '@capability-router/kernel';
import type { SearchId } from '@capability-router/kernel';
import { AllowCallers, messageOfDetails, validateBody } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { REGISTRY } from '../context.js';
import type { RegistryContext } from '../context.js';
import { callerOf } from '../discovery/caller.js';
import type { Caller } from '../discovery/caller.js';
import type { Discovery } from '../discovery/discovery.js';
import { keepablePayload, keepableText } from '../discovery/request-payload.js';
import { DEFAULT_LIMIT, SearchRequest, searchRequestMembers } from './search.request.js';
import { toSearchResult } from './search.response.js';
import type { SearchResponse } from './search.response.js';

@Controller()
export class SearchController {
  constructor(@Inject(REGISTRY) private readonly registry: RegistryContext) {}

  /** Discover. Free; leaves exactly one usage event, also when the body is refused. */
  @Post('api/v1/search')
  @HttpCode(200)
  @AllowCallers('gateway')
  async search(@Body() body: unknown, @Req() request: FastifyRequest): Promise<SearchResponse> {
    const startedMs = performance.now();
    const { clock, catalogue, recorder, credits } = this.registry;
    const caller = callerOf(request);
    const searchId = newSearchId(clock.nowMs());
    const outcome = (result: Pick<Discovery, 'toolIds' | 'refusal' | 'sessionId'>): Discovery => ({
      ...this.factsOf(body, searchId, caller),
      ...result,
      durationMs: performance.now() - startedMs,
      completedAt: toIso(clock.nowMs()),
    });

    const valid = validateBody(SearchRequest, body, { allowUnknown: true });
    if (!valid.ok) {
      const message = messageOfDetails(valid.error);
      await recorder.record(outcome({ toolIds: [], refusal: { message, httpStatusCode: 422 } }));
      throw new AppError('validation_error', message, { details: valid.error });
    }
    const { query, limit, session_id: sessionId, view, lang } = valid.value;
    const remainingCredits = credits.ask(caller.account.accountId, caller.assertion);
    const language = negotiateLanguage(lang ?? undefined, caller.acceptLanguage);
    const found = catalogue.search(query, limit ?? DEFAULT_LIMIT);
    const results = found.map(({ tool, hit }) => toSearchResult(tool, hit, view ?? 'full', language));
    const toolIds = found.map(({ tool }) => tool.toolId);
    await recorder.record(outcome({ toolIds, ...(sessionId == null ? {} : { sessionId }) }));
    const remaining = await remainingCredits;
    return {
      query,
      search_id: searchId,
      total: results.length,
      results,
      elapsed_time_ms: Math.round((performance.now() - startedMs) * 100) / 100,
      ...(remaining === undefined ? {} : { remaining_credits: remaining }),
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
