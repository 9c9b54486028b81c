import { topicNames } from '@capability-router/contracts';
import type { ToolPublished, ToolRetired } from '@capability-router/contracts';
import { appendBatch } from '@capability-router/event-store';
import { toIso } from '@capability-router/kernel';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { inTransaction } from '../database/in-transaction.js';
import type { CatalogueSource } from './domain/catalogue-source.js';
import { planPublication } from './domain/plan-publication.js';
import type { HashedTool } from './domain/plan-publication.js';
import { resolveTools } from './domain/resolve-tool.js';
import { hashTool } from './hash-tool.js';
import { findAbandoned, findPublished, markRetired, savePublications } from './tools.sql.js';

/** Key of the advisory lock of all publications; the same in every build. */
const PUBLICATION_LOCK_KEY = 728_415_101;
/** Tools in one transaction: short enough not to hold back readers of the event store. */
const CHUNK_TOOLS = 200;

export interface PublicationSummary {
  readonly published: number;
  readonly retired: number;
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
  const tools = resolveTools(source).map(hashTool);
  let published = 0;
  for (let from = 0; from < tools.length; from += CHUNK_TOOLS) {
    published += await publishChunk(pool, toIso(clock.nowMs()), source.name, tools.slice(from, from + CHUNK_TOOLS));
  }
  const kept = tools.map(({ tool }) => tool.toolId);
  let retired = 0;
  for (let last = CHUNK_TOOLS; last === CHUNK_TOOLS; retired += last) {
    last = await retireChunk(pool, toIso(clock.nowMs()), source.name, kept);
  }
  return { published, retired };
}

function publishChunk(pool: pg.Pool, now: string, source: string, tools: readonly HashedTool[]): Promise<number> {
  return inTransaction(pool, async (tx) => {
    await lock(tx);
    const toolIds = tools.map(({ tool }) => tool.toolId);
    const publications = planPublication(tools, await findPublished(tx, toolIds));
    if (publications.length === 0) return 0;
    await savePublications(tx, source, publications, now);
    await appendBatch(
      tx,
      'registry',
      publications.map(({ contract, eventSequence }) => ({
        streamId: contract.toolId,
        sequence: eventSequence,
        event: {
          type: 'ToolPublished',
          topic: topicNames.catalogue,
          partitionKey: contract.toolId,
          data: { tool: contract } satisfies ToolPublished,
          time: now,
        },
      })),
    );
    return publications.length;
  });
}

function retireChunk(pool: pg.Pool, now: string, source: string, kept: readonly string[]): Promise<number> {
  return inTransaction(pool, async (tx) => {
    await lock(tx);
    const abandoned = await findAbandoned(tx, source, kept, CHUNK_TOOLS);
    if (abandoned.length === 0) return 0;
    await markRetired(
      tx,
      abandoned.map((tool) => tool.toolId),
      now,
    );
    await appendBatch(
      tx,
      'registry',
      abandoned.map(({ toolId, version, eventSequence }) => ({
        streamId: toolId,
        sequence: eventSequence + 1,
        event: {
          type: 'ToolRetired',
          topic: topicNames.catalogue,
          partitionKey: toolId,
          data: { toolId, version, retiredAt: now } satisfies ToolRetired,
          time: now,
        },
      })),
    );
    return abandoned.length;
  });
}

/** Held until the end of the transaction. */
const lock = (tx: pg.PoolClient): Promise<unknown> =>
  tx.query('SELECT pg_advisory_xact_lock($1)', [PUBLICATION_LOCK_KEY]);
