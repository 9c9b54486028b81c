import type { ProviderDefinition, ToolManifest } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { applyCatalogue, MAX_BATCH_ITEMS, type BatchToolOutcome } from './apply-catalogue.js';
import { refreshTools, savedIds } from './refresh-tools.js';
import { retireAbandoned } from './retire-abandoned.js';
import type { DefinitionOutcome } from './save-definitions.js';
import { findAbandoned } from './tools.sql.js';

/** Where tools come from: an OpenAPI document, an MCP server, a hand-written manifest. */
export interface ToolSource {
  /** Stable and unique, e.g. `openapi:petstore`. Its tools are its own: no other source may change them. */
  readonly name: string;
  /** New and changed tools wait for approval; unchanged ones stay. */
  readonly quarantine: boolean;
  /** Says whether published tools that the source does not name any more stay. */
  readonly absent: 'retire' | 'keep';
}

export interface ProposedTools {
  /** Saved under the source's name where it is new or changed; absent: the provider is there already. */
  readonly provider?: ProviderDefinition;
  /** All tools are of one provider, and each id comes once. */
  readonly tools: readonly ToolManifest[];
  /** Ids of tools that the source names as well and that cannot be taken over now: where they are published, they stay. */
  readonly named?: readonly string[];
}

export interface ProposalReport {
  readonly provider?: DefinitionOutcome;
  readonly tools: readonly BatchToolOutcome[];
  /** Tools that the source does not name any more: retired, or still published where they are kept. */
  readonly absent: readonly string[];
}

/** Ids of absent tools that are looked for at once where they are kept. */
const MAX_ABSENT_TOOLS = 10_000;

/**
 * Brings the catalogue to what a source says. Repeating it changes nothing; what somebody rejected is not proposed
 * again until it changes. The manifests are checked by the caller, who built them.
 */
export async function proposeTools(
  pool: pg.Pool,
  clock: Clock,
  source: ToolSource,
  proposed: ProposedTools,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<ProposalReport> {
  const { provider, tools, named = [] } = proposed;
  const overlay = { providers: new Map(), categories: new Map() };
  const intent = source.quarantine ? 'quarantine' : 'publish';
  const outcomes: BatchToolOutcome[] = [];
  let providerOutcome: DefinitionOutcome | undefined;
  for (let from = 0; from === 0 || from < tools.length; from += MAX_BATCH_ITEMS) {
    const batch = {
      providers: from === 0 && provider !== undefined ? [provider] : [],
      categories: [],
      tools: tools.slice(from, from + MAX_BATCH_ITEMS).map((manifest) => ({ manifest, intent }) as const),
    };
    const outcome = await applyCatalogue(pool, clock, batch, { source: source.name, dryRun, overlay });
    providerOutcome ??= outcome.providers[0];
    outcomes.push(...outcome.tools);
    if (outcome.providers[0]?.result === 'refused') break;
  }
  if (providerOutcome !== undefined && !dryRun) {
    await refreshTools(pool, clock, { providerIds: savedIds([providerOutcome]), categorySlugs: [] });
  }
  const kept = [...tools.map(({ toolId }) => toolId), ...named];
  const retires = source.absent === 'retire' && !dryRun && providerOutcome?.result !== 'refused';
  const absent = retires
    ? await retireAbandoned(pool, clock, { source: source.name, kept })
    : (await findAbandoned(pool, { source: source.name, kept, limit: MAX_ABSENT_TOOLS })).map(({ toolId }) => toolId);
  return { ...(providerOutcome === undefined ? {} : { provider: providerOutcome }), tools: outcomes, absent };
}
