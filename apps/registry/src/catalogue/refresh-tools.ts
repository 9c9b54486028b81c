import type { ToolContract } from '@capability-router/contracts';
import { toIso, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/event-store';
import type pg from 'pg';
import { writeContracts } from './apply-tools.js';
import { lockCatalogue } from './lock-catalogue.sql.js';
import { findDefinitions } from './definitions.sql.js';
import { planContract } from './domain/plan-tool.js';
import { manifestOf, resolveTool } from './domain/resolve-tool.js';
import { hashTool } from './hash-tool.js';
import { CHUNK_TOOLS, readReferring } from './refresh-tools.sql.js';
import { findLive } from './tools.sql.js';

/**
 * A contract shows its provider and categories, so their change is one of every contract that refers to them: brings
 * those up to it. Gives how many got a new version. Doing it again changes nothing.
 */
export async function refreshTools(
  pool: pg.Pool,
  clock: Clock,
  changed: { readonly providerIds: readonly string[]; readonly categorySlugs: readonly string[] },
): Promise<number> {
  if (changed.providerIds.length === 0 && changed.categorySlugs.length === 0) return 0;
  let refreshed = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    const page = await inTransaction(pool, async (tx) => {
      await lockCatalogue(tx);
      const contracts = await readReferring(tx, changed, from);
      return { contracts, written: await refreshChunk(tx, contracts, toIso(clock.nowMs())) };
    });
    refreshed += page.written;
    after = page.contracts.length === CHUNK_TOOLS ? page.contracts.at(-1)?.toolId : undefined;
  }
  return refreshed;
}

async function refreshChunk(tx: pg.PoolClient, contracts: readonly ToolContract[], now: string): Promise<number> {
  const providers = await findDefinitions(tx, 'provider', [...new Set(contracts.map((tool) => tool.providerId))]);
  const categories = await findDefinitions(tx, 'category', [...new Set(contracts.flatMap((tool) => tool.categories))]);
  const definitions = {
    providers: new Map([...providers].map(([id, { definition }]) => [id, definition])),
    categories: new Map([...categories].map(([slug, { definition }]) => [slug, definition])),
  };
  const live = await findLive(
    tx,
    contracts.map(({ toolId }) => toolId),
  );
  const tools = contracts.flatMap((contract) => {
    const known = live.get(contract.toolId);
    const resolved = resolveTool(manifestOf(contract), definitions.providers, definitions.categories);
    if (known === undefined || !resolved.ok) return [];
    const hashed = hashTool(resolved.value);
    if (hashed.contractHash === known.contractHash) return [];
    const { planned } = planContract(hashed, known);
    // A retired tool stays retired; its row has the contract that it would show.
    const { status } = known;
    const eventSequence = known.eventSequence + (status === 'published' ? 1 : 0);
    return [{ source: known.source, planned: { ...planned, status, eventSequence }, retiredBy: known.retiredBy }];
  });
  await writeContracts(tx, tools, now);
  return tools.length;
}
