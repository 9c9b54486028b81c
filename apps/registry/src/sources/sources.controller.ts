import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, POOL, requireAdmin, requireValid } from '@capability-router/service-kit';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type pg from 'pg';
import { PageQuery } from '../admin/tools/page.query.js';
import { MAX_CONCURRENT_READS } from './conversion-pool.js';
import { shownUrl } from './domain/shown-url.js';
import { ImportSource } from './import-source.js';
import { readRefreshRequest, readSourceRequest, type SourceRequest } from './source-request.js';
import { findSource, listSources, type StoredSource } from './stored-sources.js';

@Controller('admin/v1/sources')
export class SourcesController {
  private reading = 0;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(ImportSource) private readonly importSource: ImportSource,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async list(@CurrentAccount() caller: AccountAssertion, @Query() query: unknown): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    const { limit, after = '' } = requireValid(PageQuery, query, { location: 'query' });
    const found = await listSources(this.pool, after, limit + 1);
    const page = found.slice(0, limit);
    const next = found.length > limit ? { next_after: page.at(-1)?.sourceId } : {};
    return apiSuccess({ items: page.map(shown), ...next });
  }

  /** Operations of an OpenAPI document become tools. */
  @Post('openapi')
  @HttpCode(200)
  @AllowCallers('gateway')
  openapi(@CurrentAccount() caller: AccountAssertion, @Body() body: unknown): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    return this.import('openapi', readSourceRequest('openapi', body));
  }

  /** Tools of an MCP server become tools. */
  @Post('mcp')
  @HttpCode(200)
  @AllowCallers('gateway')
  mcp(@CurrentAccount() caller: AccountAssertion, @Body() body: unknown): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    return this.import('mcp', readSourceRequest('mcp', body));
  }

  /** `{source_id}:refresh` reads a source again as it was imported last. */
  @Post(':sourceIdAndAction')
  @HttpCode(200)
  @AllowCallers('gateway')
  async refresh(
    @CurrentAccount() caller: AccountAssertion,
    @Param('sourceIdAndAction') target: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    const [sourceId = '', action, ...rest] = target.split(':');
    if (action !== 'refresh' || rest.length > 0) {
      throw new AppError('not_found', 'There is no such action. A source id is followed by :refresh.');
    }
    // The database holds no text with a zero character in it, and refuses to look for one.
    const source = sourceId.includes('\u0000') ? undefined : await findSource(this.pool, sourceId);
    if (source === undefined) {
      throw new AppError('not_found', 'There is no source with the id in the path. GET /admin/v1/sources lists them.');
    }
    const { dry_run } = readRefreshRequest(body);
    if (source.kind === 'openapi' && source.request.url === undefined) {
      throw new AppError(
        'conflict',
        'This source was sent as a document. Send the new one to /admin/v1/sources/openapi.',
      );
    }
    return this.import(source.kind, { ...source.request, ...(dry_run === undefined ? {} : { dry_run }) });
  }

  private async import(kind: StoredSource['kind'], request: SourceRequest): Promise<ApiResponse<object>> {
    if (this.reading >= MAX_CONCURRENT_READS) {
      throw new AppError('service_unavailable', 'Other sources are being read. Try again when they have been.');
    }
    this.reading += 1;
    try {
      return apiSuccess(await this.importSource.run(kind, request));
    } finally {
      this.reading -= 1;
    }
  }
}

function shown({ sourceId, kind, providerId, request, counts, importedAt }: StoredSource): object {
  const at = request.url ?? (request.server?.transport === 'streamable_http' ? request.server.url : undefined);
  return {
    source_id: sourceId,
    kind,
    provider_id: providerId,
    ...(at === undefined ? {} : { url: shownUrl(at) }),
    ...(request.server?.transport === 'stdio' ? { command: request.server.command } : {}),
    counts,
    imported_at: importedAt.toISOString(),
  };
}
