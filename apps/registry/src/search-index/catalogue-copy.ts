import { setImmediate } from 'node:timers/promises';
import type { ToolContract } from '@capability-router/contracts';
import {
  DEFAULT_MIN_FIT,
  shippedOptions,
  ToolIndex,
  type SearchDocument,
  type SearchHit,
  type SemanticEvidence,
  type ToolIndexOptions,
} from '@capability-router/tool-search';
import type pg from 'pg';
import { readPublishedByIds, readPublishedPage } from '../catalogue/tools.sql.js';
import { evidenceKey, noEvidence, toSearchDocument, type ToolEvidence } from './to-search-document.js';

/** Tools read in one query while the copy is loaded. */
const LOAD_PAGE_TOOLS = 1_000;
/** Tools indexed at once; the event loop has a turn between two batches. */
const INDEX_BATCH_TOOLS = 100;
/** Tools a copy holds; beyond it the service refuses to start rather than search a part of the catalogue. */
export const MAX_CATALOGUE_TOOLS = 200_000;

export interface FoundByIndex {
  readonly tool: ToolContract;
  readonly hit: SearchHit;
}

/** A tool that comes has no `before`, one that goes no `after`. */
export type ToolChange = (before: ToolContract | undefined, after: ToolContract | undefined) => void;

/**
 * The published catalogue in memory, with its search index. The index is loaded once and changed tool by tool. Events
 * only say which tools to look at again: the rows decide, so an event that comes twice, late or again from long ago
 * does no harm.
 */
export class CatalogueCopy {
  private readonly tools = new Map<string, ToolContract>();
  /** By tool, the evidence of calls that the index was given; absent where it was given none. */
  private readonly indexedEvidence = new Map<string, string>();
  private readonly index: ToolIndex;
  /** Tools that declare a capability, by its id. */
  private readonly servers = new Map<string, number>();
  private changed: ToolChange = () => undefined;

  /** `minFit`: 0 to 1; as in `SearchOptions`. */
  constructor(
    private readonly evidence: ToolEvidence = noEvidence,
    private readonly minFit = DEFAULT_MIN_FIT,
    options: ToolIndexOptions = shippedOptions(),
  ) {
    this.index = new ToolIndex([], options);
  }

  /** `changed` hears of every tool that comes, changes or goes, from the load on. */
  onChange(changed: ToolChange): void {
    this.changed = changed;
  }

  get size(): number {
    return this.tools.size;
  }

  get(toolId: string): ToolContract | undefined {
    return this.tools.get(toolId);
  }

  /** Every tool of the catalogue. */
  published(): Iterable<ToolContract> {
    return this.tools.values();
  }

  /** Does another tool declare one of the capabilities of this one? */
  hasAlternative({ capabilities }: ToolContract): boolean {
    return capabilities.some(({ id }) => (this.servers.get(id) ?? 0) > 1);
  }

  /** Best first; nothing when nothing matches. `semantic`: what a model says about tools for this query. */
  search(query: string, limit: number, semantic?: SemanticEvidence): FoundByIndex[] {
    const options = { limit, minFit: this.minFit, ...(semantic === undefined ? {} : { semantic }) };
    return this.index.search(query, options).flatMap((hit) => {
      const tool = this.tools.get(hit.toolId);
      return tool === undefined ? [] : [{ tool, hit }];
    });
  }

  /** The tools that are nearest to a query, best first, whether they fit or not. */
  nearest(query: string, limit: number): ToolContract[] {
    return this.index.search(query, { limit }).flatMap(({ toolId }) => this.tools.get(toolId) ?? []);
  }

  /** The words of a query, Chinese ones in English as the dictionary has them; empty where there is none. */
  inEnglish(query: string): string {
    return this.index.inEnglish(query);
  }

  /** Tools that hold a term of the index. */
  documentFrequencyOf(term: string): number {
    return this.index.documentFrequencyOf(term);
  }

  /** Brings what the index knows of calls of these tools up to the evidence. */
  reindex(toolIds: readonly string[]): void {
    const changed = toolIds.flatMap((toolId) => {
      const tool = this.tools.get(toolId);
      return tool !== undefined && evidenceKey(tool, this.evidence) !== this.indexedEvidence.get(toolId) ? [tool] : [];
    });
    if (changed.length > 0) this.index.upsert(changed.map((tool) => this.toDocument(tool)));
  }

  /** Throws when the catalogue is too large for a copy. */
  async load(pool: pg.Pool): Promise<void> {
    const bulk = this.index.startBulk();
    for (let after = ''; ;) {
      const page = await readPublishedPage(pool, after, LOAD_PAGE_TOOLS);
      for (const tool of page) this.put(tool.toolId, tool);
      bulk.add(page.map((tool) => this.toDocument(tool)));
      if (this.tools.size > MAX_CATALOGUE_TOOLS) throw new Error(`the catalogue exceeds ${MAX_CATALOGUE_TOOLS} tools`);
      const last = page.at(-1);
      if (last === undefined || page.length < LOAD_PAGE_TOOLS) break;
      after = last.toolId;
    }
    bulk.finish();
  }

  /** Brings the named tools up to their rows; other work of the process goes on meanwhile. */
  async refresh(pool: pg.Pool, toolIds: readonly string[]): Promise<void> {
    const current = new Map((await readPublishedByIds(pool, toolIds)).map((tool) => [tool.toolId, tool]));
    for (const toolId of toolIds) {
      this.put(toolId, current.get(toolId));
      if (!current.has(toolId)) this.indexedEvidence.delete(toolId);
    }
    this.index.remove(toolIds.filter((toolId) => !current.has(toolId)));
    const toIndex = [...current.keys()];
    for (let from = 0; from < toIndex.length; from += INDEX_BATCH_TOOLS) {
      if (from > 0) await setImmediate();
      // The copy's tools are indexed as they are by now, and not as they were read before the pause.
      const tools = toIndex.slice(from, from + INDEX_BATCH_TOOLS).flatMap((toolId) => this.tools.get(toolId) ?? []);
      this.index.upsert(tools.map((tool) => this.toDocument(tool)));
    }
  }

  private put(toolId: string, tool: ToolContract | undefined): void {
    const before = this.tools.get(toolId);
    this.changed(before, tool);
    this.countServers(before, -1);
    this.countServers(tool, 1);
    if (tool === undefined) this.tools.delete(toolId);
    else this.tools.set(toolId, tool);
  }

  private countServers(tool: ToolContract | undefined, change: 1 | -1): void {
    for (const id of new Set(tool?.capabilities.map((capability) => capability.id))) {
      const count = (this.servers.get(id) ?? 0) + change;
      if (count === 0) this.servers.delete(id);
      else this.servers.set(id, count);
    }
  }

  private toDocument(tool: ToolContract): SearchDocument {
    const key = evidenceKey(tool, this.evidence);
    if (key === undefined) this.indexedEvidence.delete(tool.toolId);
    else this.indexedEvidence.set(tool.toolId, key);
    return toSearchDocument(tool, this.evidence);
  }
}
