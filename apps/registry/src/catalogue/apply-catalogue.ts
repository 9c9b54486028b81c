import type { CategoryDefinition, ProviderDefinition, ToolManifest } from '@capability-router/contracts';
import { inTransaction } from '@capability-router/event-store';
import { toIso, type Clock } from '@capability-router/kernel';
import { FairTurns } from '@capability-router/service-kit/thread';
import type pg from 'pg';
import { applyTools, type ToolOutcome, type ToolToApply } from './apply-tools.js';
import { lockCatalogue } from './lock-catalogue.sql.js';
import { findDefinitions, type StoredDefinition } from './definitions.sql.js';
import { BUILTIN_SOURCE } from './domain/catalogue-source.js';
import type { Intent } from './domain/plan-tool.js';
import { resolveTool } from './domain/resolve-tool.js';
import { hashTool } from './hash-tool.js';
import { MAX_PUBLISHED_TOOLS, PublishedCount } from './published-count.js';
import { saveChangedDefinitions, type DefinitionOutcomes } from './save-definitions.js';
import { findLive } from './tools.sql.js';

/** Items of one batch: its transaction takes well under a second. */
export const MAX_BATCH_ITEMS = 500;

export interface CatalogueBatch {
  readonly providers: readonly ProviderDefinition[];
  readonly categories: readonly CategoryDefinition[];
  readonly tools: readonly { readonly manifest: ToolManifest; readonly intent: Intent }[];
}

export type BatchToolOutcome =
  | ToolOutcome
  /** The tool refers to what is not there, belongs to another source, or there is no room. `field` is a field of the manifest. */
  | { readonly toolId: string; readonly result: 'refused'; readonly message: string; readonly field?: string };

export interface BatchOutcome extends DefinitionOutcomes {
  /** In the order of the batch. */
  readonly tools: readonly BatchToolOutcome[];
}

export interface ApplyOptions {
  readonly source: string;
  /** Tells what would happen and writes nothing. */
  readonly dryRun: boolean;
  /** In a dry run, definitions of earlier batches that would be there by now. */
  readonly overlay?: Overlay;
  /** Shared by the batches of one writer. */
  readonly published?: PublishedCount;
}

export interface Overlay {
  readonly providers: Map<string, ProviderDefinition>;
  readonly categories: Map<string, CategoryDefinition>;
}

/** At most `MAX_BATCH_ITEMS` of each, every id once; one short transaction. */
export async function applyCatalogue(
  pool: pg.Pool,
  clock: Clock,
  batch: CatalogueBatch,
  options: ApplyOptions,
): Promise<BatchOutcome> {
  const { source, dryRun, overlay, published = new PublishedCount() } = options;
  const now = toIso(clock.nowMs());
  return inTransaction(pool, async (tx) => {
    if (!dryRun) await lockCatalogue(tx);
    const definitions = await saveChangedDefinitions(tx, source, batch, now, !dryRun);
    if (overlay !== undefined) remember(overlay, batch);
    const { tools, refused } = await resolveBatch(tx, batch, options);
    const crowded = await withoutRoom(tx, tools, published);
    const applied = await applyTools(
      tx,
      tools.filter(({ hashed }) => !crowded.has(hashed.tool.toolId)),
      { now, write: !dryRun },
    );
    const outcomes = new Map<string, BatchToolOutcome>([...refused, ...crowded].map(([id, outcome]) => [id, outcome]));
    for (const outcome of applied) outcomes.set(outcome.toolId, outcome);
    return { ...definitions, tools: batch.tools.flatMap(({ manifest }) => outcomes.get(manifest.toolId) ?? []) };
  });
}

function remember(overlay: Overlay, batch: CatalogueBatch): void {
  for (const provider of batch.providers) overlay.providers.set(provider.providerId, provider);
  for (const category of batch.categories) overlay.categories.set(category.slug, category);
}

async function resolveBatch(
  tx: pg.PoolClient,
  batch: CatalogueBatch,
  { source, overlay }: ApplyOptions,
): Promise<{ tools: ToolToApply[]; refused: Map<string, BatchToolOutcome> }> {
  const wanted = batch.tools.map(({ manifest }) => manifest);
  const stored = await findDefinitions(tx, 'provider', [...new Set(wanted.map(({ providerId }) => providerId))]);
  const categories = await findDefinitions(tx, 'category', [...new Set(wanted.flatMap((tool) => tool.categories))]);
  const known = {
    providers: new Map([...definitionsOf(stored), ...(overlay?.providers ?? [])]),
    categories: new Map([...definitionsOf(categories), ...(overlay?.categories ?? [])]),
  };
  const tools: ToolToApply[] = [];
  const refused = new Map<string, BatchToolOutcome>();
  const refuse = (toolId: string, field: string, message: string): void => {
    refused.set(toolId, { toolId, result: 'refused', field, message });
  };
  const turns = new FairTurns();
  for (const { manifest, intent } of batch.tools) {
    await turns.next();
    const owner = stored.get(manifest.providerId);
    if (owner !== undefined && owner.source === BUILTIN_SOURCE && source !== BUILTIN_SOURCE) {
      const message = `The provider "${manifest.providerId}" is built in; give the tool a provider of your own`;
      refuse(manifest.toolId, 'provider_id', message);
      continue;
    }
    const resolved = resolveTool(manifest, known.providers, known.categories);
    if (resolved.ok) tools.push({ hashed: hashTool(resolved.value), source, intent });
    else refuse(manifest.toolId, resolved.error.field, `${helpFor[resolved.error.field]}: ${resolved.error.message}`);
  }
  return { tools, refused };
}

const helpFor = {
  provider_id: 'Send the provider before its tools',
  categories: 'Define the category before the tools in it, or use one that exists',
} as const;

const definitionsOf = <T>(stored: ReadonlyMap<string, StoredDefinition<T>>): [string, T][] =>
  [...stored].map(([id, { definition }]) => [id, definition]);

/** New tools beyond what a replica holds: it would not start again. */
async function withoutRoom(
  tx: pg.PoolClient,
  tools: readonly ToolToApply[],
  published: PublishedCount,
): Promise<Map<string, BatchToolOutcome>> {
  const room = await published.roomFor(tx, tools.length);
  if (tools.length <= room) return new Map();
  const ids = tools.map(({ hashed }) => hashed.tool.toolId);
  const live = await findLive(tx, ids);
  const added = ids.filter((toolId) => live.get(toolId)?.status !== 'published');
  const message = `The catalogue holds at most ${MAX_PUBLISHED_TOOLS} published tools. Retire some first`;
  return new Map(added.slice(Math.max(room, 0)).map((toolId) => [toolId, { toolId, result: 'refused', message }]));
}
