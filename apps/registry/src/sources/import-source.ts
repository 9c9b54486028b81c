import type { ProviderDefinition } from '@capability-router/contracts';
import { AppError, toIso, type Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { readManifest } from '../admin/manifest/read-manifest.js';
import { toProviderDocument } from '../admin/manifest/to-document.js';
import type { BatchToolOutcome } from '../catalogue/apply-catalogue.js';
import { findDefinitions } from '../catalogue/definitions.sql.js';
import { verdictMembers } from '../catalogue/domain/replacement-verdict.js';
import { findProposalHeads } from '../catalogue/proposals.sql.js';
import { proposeTools, type ProposalReport } from '../catalogue/propose-tools.js';
import { insteadOf } from '../catalogue/save-definitions.js';
import type { ConversionDone } from './conversion-messages.js';
import { SourceReader } from './read-source.js';
import { invalid, sourceDefaults, type SourceRequest } from './source-request.js';
import { findSource, saveSource, type StoredSource } from './stored-sources.js';

export interface ReportedTool {
  /** `GET /pets/{id}`, the name of an MCP tool. */
  readonly key: string;
  readonly tool_id?: string;
  /** As in every change of the catalogue, and `skipped`. */
  readonly result: string;
  readonly version?: number;
  readonly schema_hash?: string;
  readonly breaking?: boolean;
  readonly costs_more?: boolean;
  readonly changes_destination?: boolean;
  /** Why the tool was skipped, or refused by the catalogue. */
  readonly reason?: string;
  readonly notes?: readonly string[];
}

export interface ImportReport {
  readonly source_id: string;
  readonly kind: StoredSource['kind'];
  readonly provider_id: string;
  readonly dry_run: boolean;
  /** Changes of this import wait for approval. */
  readonly review: boolean;
  readonly document?: object;
  readonly provider?: object;
  readonly counts: Readonly<Record<string, number>>;
  readonly tools: readonly ReportedTool[];
  /** Published tools that the source does not name any more: retired, or kept. */
  readonly absent: { readonly action: 'keep' | 'retire'; readonly tool_ids: readonly string[] };
}

@Injectable()
export class ImportSource {
  /** `committed`: to be called after a commit, so that readers of the events look at once. */
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(SourceReader) private readonly reader: SourceReader,
  ) {}

  /**
   * Reads a source and brings the catalogue to it. The first import publishes what the operator asked for, unless a review
   * is wanted; whatever is different when the source is read again waits until somebody approves it.
   */
  async run(kind: StoredSource['kind'], request: SourceRequest): Promise<ImportReport> {
    const { pool, clock } = this;
    const sourceId = request.source_id ?? request.provider.provider_id;
    const dryRun = request.dry_run ?? sourceDefaults.dry_run;
    const before = await findSource(pool, sourceId);
    checkSame(before, kind, request);
    const name = `${kind}:${sourceId}`;
    const stored = (await findDefinitions(pool, 'provider', [request.provider.provider_id])).get(
      request.provider.provider_id,
    );
    const reading = await this.reader.read({
      request,
      provider: providerOf(request, stored?.definition, {}),
      knownIds: before?.toolIds ?? {},
    });
    const isGiven = Object.keys(request.provider).length > 1;
    const provider = providerOf(request, stored?.definition, textsOf(reading));
    const review = before !== undefined || (request.review ?? sourceDefaults.review);
    const absent = request.absent ?? sourceDefaults.absent;
    const report = await proposeTools(
      pool,
      clock,
      { name, quarantine: review, absent },
      {
        // A provider of another source is taken as it is, unless the request says something about it.
        ...(stored === undefined || stored.source === name || isGiven ? { provider } : {}),
        tools: reading.tools.map(({ tool }) => tool),
        named: skippedIds(reading, before?.toolIds ?? {}),
      },
      { dryRun },
    );
    if (report.provider?.result === 'refused') {
      const { message, owner } = report.provider;
      const nextStep = insteadOf('provider', owner);
      throw new AppError('conflict', `${message}. Give its "provider_id" only.`, { nextStep });
    }
    const tools = [...(await this.toolsOf(reading, report)), ...reading.skipped.map(skipped)];
    const counts = countResults(tools);
    if (!dryRun) {
      this.committed();
      const { document: _document, dry_run: _dryRun, ...kept } = request;
      const toolIds = {
        ...before?.toolIds,
        ...Object.fromEntries(reading.tools.map(({ key, tool }) => [key, tool.toolId])),
      };
      const row = { sourceId, kind, providerId: provider.providerId, request: kept, toolIds, counts };
      await saveSource(pool, row, toIso(clock.nowMs()));
    }
    const outcome = report.provider;
    return {
      source_id: sourceId,
      kind,
      provider_id: provider.providerId,
      dry_run: dryRun,
      review,
      ...(reading.document === undefined ? {} : { document: reading.document }),
      ...(outcome === undefined ? {} : { provider: { id: outcome.id, result: outcome.result } }),
      counts,
      tools,
      absent: { action: absent, tool_ids: report.absent },
    };
  }

  private async toolsOf({ tools }: ConversionDone, report: ProposalReport): Promise<ReportedTool[]> {
    const outcomes = new Map(report.tools.map((outcome) => [outcome.toolId, outcome]));
    const waiting = await findProposalHeads(this.pool, [...outcomes.keys()]);
    return tools.flatMap(({ key, tool: { toolId }, notes }) => {
      const outcome = outcomes.get(toolId);
      if (outcome === undefined) return [];
      const waits = waiting.get(toolId)?.status === 'quarantined' && outcome.result === 'unchanged';
      const noted = notes.length === 0 ? {} : { notes };
      return [{ key, tool_id: toolId, ...outcomeOf(outcome, waits), ...noted }];
    });
  }
}

function checkSame(before: StoredSource | undefined, kind: StoredSource['kind'], { provider }: SourceRequest): void {
  if (before === undefined) return;
  if (before.kind !== kind || before.providerId !== provider.provider_id) {
    throw new AppError(
      'conflict',
      `The source "${before.sourceId}" is ${before.kind} for the provider "${before.providerId}". Choose another "source_id".`,
    );
  }
}

const textsOf = ({ document }: ConversionDone): { name?: string; description?: string } => ({
  ...(document?.title === undefined ? {} : { name: document.title }),
  ...(document?.description === undefined ? {} : { description: document.description }),
});

/**
 * The provider as the request has it, else as it is known, else as the source describes itself: a provider that is
 * there does not change because its source does. Throws `validation_error`.
 */
function providerOf(
  { provider }: SourceRequest,
  known: ProviderDefinition | undefined,
  said: { readonly name?: string; readonly description?: string },
): ProviderDefinition {
  const { provider_id: id } = provider;
  const document = {
    name: { en: said.name ?? id },
    description: { en: said.description ?? said.name ?? id },
    ...(known === undefined ? {} : toProviderDocument(known)),
    ...provider,
    kind: 'provider',
  };
  const read = readManifest(JSON.parse(JSON.stringify(document)), { base: ['body', 'provider'], maxValues: 1_000 });
  if (!read.ok) throw invalid(read.error);
  if (read.value.provider === undefined) throw new Error('a provider document gave no provider');
  return read.value.provider;
}

/** A change that has been waiting already still waits. */
function outcomeOf(outcome: BatchToolOutcome, waits: boolean): Omit<ReportedTool, 'key'> {
  if (outcome.result === 'refused') return { result: 'skipped', reason: `${outcome.message}.` };
  const { result, version, schemaHash, verdict } = outcome;
  return {
    result: waits ? 'quarantined' : result,
    ...(version === undefined ? {} : { version }),
    schema_hash: schemaHash,
    ...verdictMembers(verdict),
  };
}

/** The ids that tools had before they were skipped. A path that cannot be read is skipped with all its operations. */
function skippedIds({ skipped }: ConversionDone, knownIds: Readonly<Record<string, string>>): string[] {
  const keys = new Set(skipped.map(({ key }) => key));
  return Object.entries(knownIds).flatMap(([key, toolId]) =>
    keys.has(key) || keys.has(key.slice(key.indexOf(' ') + 1)) ? [toolId] : [],
  );
}

const skipped = ({ key, reason }: { readonly key: string; readonly reason: string }): ReportedTool => ({
  key,
  result: 'skipped',
  reason,
});

function countResults(tools: readonly ReportedTool[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of tools) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
