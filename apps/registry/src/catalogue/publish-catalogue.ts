import { toIso, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/event-store';
import type pg from 'pg';
import { applyTools, type ToolToApply } from './apply-tools.js';
import { lockCatalogue } from './lock-catalogue.sql.js';
import type { CatalogueSource } from './domain/catalogue-source.js';
import { resolveTools } from './domain/resolve-tool.js';
import { hashTool } from './hash-tool.js';
import { refreshTools, savedIds } from './refresh-tools.js';
import { retireAbandoned } from './retire-abandoned.js';
import { saveChangedDefinitions } from './save-definitions.js';

/** Tools in one transaction: short enough not to hold back readers of the event store. */
const CHUNK_TOOLS = 200;

export interface PublicationSummary {
  readonly published: number;
  readonly retired: number;
  /** Tools that got a new version, because a category that they show has changed; those of other sources too. */
  readonly refreshed: number;
  /** Ids that another source has taken; its tools stay. */
  readonly refused: readonly string[];
}

/**
 * Brings the catalogue to what the source says. Row and event of a tool are one transaction. Doing it again, or in two
 * replicas at once, changes nothing. Throws for a source that contradicts itself, before anything is written.
 */
export async function publishCatalogue(
  pool: pg.Pool,
  clock: Clock,
  source: CatalogueSource,
): Promise<PublicationSummary> {
  const tools = resolveTools(source).map((tool): ToolToApply => ({
    hashed: hashTool(tool),
    source: source.name,
    intent: 'publish',
  }));
  const definitions = await inTransaction(pool, async (tx) => {
    await lockCatalogue(tx);
    return saveChangedDefinitions(tx, source.name, source, toIso(clock.nowMs()), true);
  });
  let published = 0;
  const refused: string[] = [];
  for (let from = 0; from < tools.length; from += CHUNK_TOOLS) {
    const outcomes = await inTransaction(pool, async (tx) => {
      await lockCatalogue(tx);
      return applyTools(tx, tools.slice(from, from + CHUNK_TOOLS), { now: toIso(clock.nowMs()), write: true });
    });
    for (const { toolId, result } of outcomes) {
      if (result === 'refused') refused.push(toolId);
      else if (result === 'created' || result === 'changed' || result === 'restored') published += 1;
    }
  }
  const kept = tools.map(({ hashed }) => hashed.tool.toolId);
  const retired = await retireAbandoned(pool, clock, { source: source.name, kept });
  const refreshed = await refreshTools(pool, clock, {
    providerIds: savedIds(definitions.providers),
    categorySlugs: savedIds(definitions.categories),
  });
  return { published, retired: retired.length, refreshed, refused };
}
