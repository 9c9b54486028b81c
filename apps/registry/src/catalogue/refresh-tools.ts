import type { ToolContract } from '@capability-router/contracts';
import { toIso, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/event-store';
import type pg from 'pg';
import { writeContracts } from './apply-tools.js';
import { lockCatalogue } from './lock-catalogue.sql.js';
import { findDefinitions, findUnrefreshed, markRefreshed } from './definitions.sql.js';
import { planContract } from './domain/plan-tool.js';
import { manifestOf, resolveTool } from './domain/resolve-tool.js';
import { hashTool } from './hash-tool.js';
import { CHUNK_TOOLS, readReferring } from './refresh-tools.sql.js';
import type { DefinitionOutcome } from './save-definitions.js';
import { findLive } from './tools.sql.js';

/**
 * A contract shows its provider and categories, so their change is one of every contract that refers to them: brings
 * those up to it. Gives how many got a new version. Doing it again changes nothing, and reads no tool where all show `named` already;
 * where it broke off, by whoever changed them, doing it again completes it.
 */
export async function refreshTools(
  pool: pg.Pool,
  clock: Clock,
  named: { readonly providerIds: readonly string[]; readonly categorySlugs: readonly string[] },
): Promise<number> {
  const providers = await findUnrefreshed(pool, 'provider', named.providerIds);
  const categories = await findUnrefreshed(pool, 'category', named.categorySlugs);
  if (providers.length === 0 && categories.length === 0) return 0;
  const unrefreshed = { providerIds: providers.map(({ id }) => id), categorySlugs: categories.map(({ id }) => id) };
  let refreshed = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    const page = await inTransaction(pool, async (tx) => {
      await lockCatalogue(tx);
      const contracts = await readReferring(tx, unrefreshed, from);
      return { contracts, written: await refreshChunk(tx, contracts, toIso(clock.nowMs())) };
    });
    refreshed += page.written;
    after = page.contracts.length === CHUNK_TOOLS ? page.contracts.at(-1)?.toolId : undefined;
  }
  await markRefreshed(pool, 'provider', providers);
  await markRefreshed(pool, 'category', categories);
  return refreshed;
}

/** The ids of what was not refused: their tools are to show them. */
export const savedIds = (outcomes: readonly DefinitionOutcome[]): string[] =>
  outcomes.filter(({ result }) => result !== 'refused').map(({ id }) => id);

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
