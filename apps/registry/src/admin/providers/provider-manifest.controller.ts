import { apiSuccess, bodyLimits, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import { readDocument, YamlPool } from '@capability-router/provider-kit/documents';
import {
  AllowCallers,
  CurrentAccount,
  messageOfDetails,
  POOL,
  requireAdmin,
  requireValid,
} from '@capability-router/service-kit';
import { Body, Controller, Get, Inject, Param, Put, Query } from '@nestjs/common';
import type pg from 'pg';
import type { BatchToolOutcome } from '../../catalogue/apply-catalogue.js';
import { findDefinitions } from '../../catalogue/definitions.sql.js';
import { verdictMembers } from '../../catalogue/domain/replacement-verdict.js';
import { insteadOf, type DefinitionOutcome } from '../../catalogue/save-definitions.js';
import { DryRunQuery } from '../dry-run.query.js';
import { readManifestInTurns, type ReadManifest } from '../manifest/read-manifest.js';
import { toProviderDocument, toToolDocument } from '../manifest/to-document.js';
import { listTools } from '../tools/list-tools.sql.js';
import { PageQuery } from '../tools/page.query.js';
import { PutProvider } from './put-provider.js';

/** Bytes of a manifest in JSON. */
export const MAX_MANIFEST_BYTES = bodyLimits.providerManifest;
/** Values of a manifest, with what aliases repeat. */
const MAX_MANIFEST_VALUES = 1_000_000;

@Controller('admin/v1/providers')
export class ProviderManifestController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(YamlPool) private readonly yaml: YamlPool,
    @Inject(PutProvider) private readonly putProvider: PutProvider,
  ) {}

  /** The whole manifest of a provider, as JSON or YAML. 409 where the provider, or one of the tools, is not its own. */
  @Put(':providerId')
  @AllowCallers('gateway')
  async put(
    @CurrentAccount() caller: AccountAssertion,
    @Param('providerId') providerId: string,
    @Query() query: unknown,
    @Body() body: unknown,
  ): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    const { dry_run: dryRun } = requireValid(DryRunQuery, query, { location: 'query' });
    const manifest = await manifestOf(await readDocument(body, MAX_MANIFEST_VALUES, this.yaml), providerId);
    const report = await this.putProvider.put(manifest, dryRun === 'true');
    if (report.provider.result === 'refused') {
      const { message, owner } = report.provider;
      throw new AppError('conflict', `${message}.`, { nextStep: insteadOf('provider', owner) });
    }
    return apiSuccess({
      provider_id: providerId,
      dry_run: dryRun === 'true',
      provider: shown(report.provider),
      categories: report.categories.map(shown),
      tools: report.tools.map(shownTool),
      retired: report.retired,
      refreshed: report.refreshed,
    });
  }

  /** The published state of a provider, as a manifest, in pages of its tools. */
  @Get(':providerId')
  @AllowCallers('gateway')
  async get(
    @CurrentAccount() caller: AccountAssertion,
    @Param('providerId') providerId: string,
    @Query() query: unknown,
  ): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    const { limit, after } = requireValid(PageQuery, query, { location: 'query' });
    // The database holds no text with a zero character in it, and refuses to look for one.
    const ids = providerId.includes('\u0000') ? [] : [providerId];
    const stored = (await findDefinitions(this.pool, 'provider', ids)).get(providerId);
    if (stored === undefined) {
      throw new AppError(
        'not_found',
        'There is no provider with the id in the path. PUT its manifest there to add it.',
      );
    }
    const page = await listTools(this.pool, { providerId, status: 'published', after: after ?? '', limit });
    return apiSuccess({
      source: stored.source,
      definition_hash: stored.hash,
      manifest: {
        kind: 'provider',
        ...toProviderDocument(stored.definition),
        tools: page.tools.map(({ contract }) => toToolDocument(contract)),
      },
      ...(page.next === undefined ? {} : { next_after: page.next }),
    });
  }
}

async function manifestOf(
  document: unknown,
  providerId: string,
): Promise<ReadManifest & { provider: NonNullable<ReadManifest['provider']> }> {
  const read = await readManifestInTurns(document, {
    base: ['body'],
    maxValues: MAX_MANIFEST_VALUES,
    only: 'provider',
  });
  if (!read.ok) throw new AppError('validation_error', messageOfDetails(read.error), { details: read.error });
  const { provider } = read.value;
  if (provider?.providerId === providerId) return { ...read.value, provider };
  const detail = {
    type: 'value_error',
    loc: ['body', 'provider_id'],
    msg: `Input should be "${providerId}", as in the path`,
  };
  throw new AppError('validation_error', messageOfDetails([detail]), { details: [detail] });
}

const shown = (outcome: DefinitionOutcome): object =>
  outcome.result === 'refused'
    ? { id: outcome.id, result: outcome.result, message: outcome.message }
    : { id: outcome.id, result: outcome.result, definition_hash: outcome.hash };

function shownTool(outcome: BatchToolOutcome): object {
  const { toolId: tool_id, result } = outcome;
  if (outcome.result === 'refused') return { tool_id, result, message: outcome.message };
  const { version, schemaHash: schema_hash, verdict } = outcome;
  return {
    tool_id,
    result,
    ...(version === undefined ? {} : { version }),
    schema_hash,
    ...verdictMembers(verdict),
  };
}
