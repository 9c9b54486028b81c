import { negotiateLanguage } from '@capability-router/contracts';
import { AppError, isJsonObject, isSearchId, newUsageEventId, toIso, type Clock } from '@capability-router/kernel';
import {
  AllowCallers,
  CLOCK,
  messageOfDetails,
  POOL,
  RemainingCredits,
  validateBody,
} from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { callerOf, type Caller } from '../caller.js';
import type { Discovery } from '../discovery/discovery.js';
import { DiscoveryRecorder } from '../discovery/discovery-recorder.js';
import { keepablePayload } from '../discovery/request-payload.js';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { statsOf } from '../tool-result/domain/stats.js';
import { KnownStatistics } from '../tool-result/known-statistics.js';
import { ToolStanding } from '../tool-result/tool-standing.js';
import { toLeanResult, toToolResult, type LeanToolResult, type ToolResult } from '../tool-result/tool-result.js';
import { findRetired } from './find-retired.sql.js';
import { InspectRequest, inspectRequestMembers } from './inspect.request.js';
import { lookUpTools, messageOfMissing } from './look-up-tools.js';

export interface InspectResponse {
  readonly search_id?: string;
  readonly total: number;
  readonly results: readonly (ToolResult | LeanToolResult)[];
  readonly elapsed_time_ms: number;
  readonly remaining_credits?: number;
  readonly error_message: string | null;
}

@Controller()
export class InspectController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CatalogueCopy) private readonly catalogue: CatalogueCopy,
    @Inject(KnownStatistics) private readonly statistics: KnownStatistics,
    @Inject(ToolStanding) private readonly standing: ToolStanding,
    @Inject(DiscoveryRecorder) private readonly recorder: DiscoveryRecorder,
    @Inject(RemainingCredits) private readonly credits: RemainingCredits,
  ) {}

  /** Inspect. Free; leaves exactly one usage event, also when the body is refused. */
  @Post('api/v1/tools/by-ids')
  @HttpCode(200)
  @AllowCallers('gateway')
  async inspect(@Body() body: unknown, @Req() request: FastifyRequest): Promise<InspectResponse> {
    const startedMs = performance.now();
    const { pool, clock, catalogue, statistics, recorder, credits } = this;
    const caller = callerOf(request);
    const usageEventId = newUsageEventId(clock.nowMs());
    const outcome = (result: Pick<Discovery, 'toolIds' | 'refusal' | 'sessionId' | 'searchId'>): Discovery => ({
      ...this.factsOf(body, usageEventId, caller),
      ...result,
      durationMs: performance.now() - startedMs,
      completedAt: toIso(clock.nowMs()),
    });

    const valid = validateBody(InspectRequest, body, { allowUnknown: true });
    if (!valid.ok) {
      const message = messageOfDetails(valid.error);
      await recorder.record(outcome({ toolIds: [], refusal: { message, httpStatusCode: 422 } }));
      throw new AppError('validation_error', message, { details: valid.error });
    }
    const { tool_ids: toolIds, search_id: givenSearchId, session_id: sessionId, view } = valid.value;
    const remainingCredits = credits.ask(caller.account.accountId, caller.assertion);
    const language = negotiateLanguage(undefined, caller.acceptLanguage);
    const published = await catalogue.find(toolIds);
    const { tools, missing } = lookUpTools(toolIds, (toolId) => published.get(toolId));
    const retired = missing.length === 0 ? new Set<string>() : await findRetired(pool, missing);
    const results = tools.map((tool) =>
      view === 'lean'
        ? toLeanResult(tool, language)
        : toToolResult(
            tool,
            { stats: statsOf(statistics.ofTool(tool.toolId)), ...this.standing.of(tool, caller.account.region) },
            { language, constraints: true },
          ),
    );
    // An id that no search can have had links nothing. Any other is the caller's own word, kept in the caller's own
    // audit, and answered alike whether it is theirs, another account's or nobody's, so that none can be probed for.
    const search = givenSearchId != null && isSearchId(givenSearchId) ? { searchId: givenSearchId } : {};
    await recorder.record(
      outcome({ toolIds: tools.map((tool) => tool.toolId), ...search, ...(sessionId == null ? {} : { sessionId }) }),
    );
    const remaining = remainingCredits.soFar();
    return {
      ...(search.searchId === undefined ? {} : { search_id: search.searchId }),
      total: results.length,
      results,
      elapsed_time_ms: Math.round((performance.now() - startedMs) * 100) / 100,
      ...(remaining === undefined ? {} : { remaining_credits: remaining }),
      error_message: messageOfMissing(missing, retired),
    };
  }

  private factsOf(body: unknown, usageEventId: string, caller: Caller) {
    const toolIds = isJsonObject(body) ? body['tool_ids'] : undefined;
    return {
      kind: 'inspect' as const,
      usageEventId,
      account: caller.account,
      requestPayload: keepablePayload(body, inspectRequestMembers),
      requestedCount: Array.isArray(toolIds) ? toolIds.length : 0,
      requestId: caller.requestId,
      ...(caller.traceparent === undefined ? {} : { traceparent: caller.traceparent }),
    };
  }
}
