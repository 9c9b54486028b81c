import type { ToolContract } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import {
  DEFAULT_MIN_FIT,
  IndexEnded,
  type SearchDocument,
  type SearchHit,
  type SearchOptions,
  type SemanticEvidence,
} from '@capability-router/tool-search';
import type pg from 'pg';
import { readPublishedByIds, readPublishedPage, type PublishedPage } from '../catalogue/tools.sql.js';
import { fill, IndexKeeper, type OpenIndex } from './index-keeper.js';
import type { KnownTool } from './known-tool.js';
import { PublishedTools } from './published-tools.js';
import { evidenceKey, noEvidence, toSearchDocument, type ToolEvidence } from './to-search-document.js';

/** Tools read in one query while the copy is loaded. */
const LOAD_PAGE_TOOLS = 1_000;
/** Tools indexed at once; searches that came meanwhile are answered between two batches. */
const INDEX_BATCH_TOOLS = 100;
/** Searches that wait for the index: of a hundred thousand tools, some seconds of its work. */
export const MAX_WAITING_SEARCHES = 1_000;
/** Tools a copy holds; beyond it the service refuses to start rather than search a part of the catalogue. */
export const MAX_CATALOGUE_TOOLS = 200_000;

export interface FoundByIndex {
  readonly tool: ToolContract;
  readonly hit: SearchHit;
}

/** A tool that comes has no `before`, one that goes no `after`. */
export type ToolChange = (before: KnownTool | undefined, after: ToolContract | undefined) => void;

export interface CatalogueCopyParts {
  /** Where the rows are. */
  readonly pool: pg.Pool;
  readonly openIndex: OpenIndex;
  readonly evidence?: ToolEvidence;
  /** 0 to 1; as in `SearchOptions`. */
  readonly minFit?: number;
  /** Hears why the index ended, before it is built anew. */
  readonly onIndexEnd?: (error: Error) => void;
  /** Contracts that are kept in memory; as `PublishedTools` where absent. */
  readonly maxKeptContracts?: number;
}

/**
 * The published catalogue with its search index, which is loaded once and changed tool by tool. Events only say which tools
 * to look at again: the rows decide, so an event that comes twice, late or again from long ago does no harm.
 */
export class CatalogueCopy {
  private readonly tools: PublishedTools;
  private readonly pool: pg.Pool;
  /** By tool, the evidence of calls that the index was given; absent where it was given none. */
  private readonly indexedEvidence = new Map<string, string>();
  private readonly index: IndexKeeper;
  private readonly evidence: ToolEvidence;
  private readonly minFit: number;
  private changed: ToolChange = () => undefined;
  private waitingSearches = 0;

  constructor(parts: CatalogueCopyParts) {
    const { pool, openIndex, evidence = noEvidence, minFit = DEFAULT_MIN_FIT, maxKeptContracts } = parts;
    this.pool = pool;
    this.tools = new PublishedTools(maxKeptContracts);
    this.evidence = evidence;
    this.minFit = minFit;
    this.index = new IndexKeeper(openIndex, () => this.documents(), parts.onIndexEnd);
  }

  /** `changed` hears of every tool that comes, changes or goes, from the load on. */
  onChange(changed: ToolChange): void {
    this.changed = changed;
  }

  get size(): number {
    return this.tools.size;
  }

  /** False while the index is built anew. */
  get isSearchable(): boolean {
    return this.index.isWhole;
  }

  /** A published tool, as far as it is known without a look at its contract. */
  known(toolId: string): KnownTool | undefined {
    return this.tools.known(toolId);
  }

  async get(toolId: string): Promise<ToolContract | undefined> {
    return (await this.find([toolId])).get(toolId);
  }

  /** The contracts of those of the tools that are published. */
  find(toolIds: readonly string[]): Promise<ReadonlyMap<string, ToolContract>> {
    return this.tools.find(this.pool, toolIds);
  }

  /** The published tools whose examples verification may run when nobody asks for it. */
  withExamples(): Iterable<KnownTool> {
    return this.tools.withExamples();
  }

  /** Does another tool declare one of the capabilities of this one? */
  hasAlternative(tool: ToolContract): boolean {
    return this.tools.hasAlternative(tool);
  }

  /**
   * Best first; nothing when nothing matches. `semantic`: what a model says about tools for this query. Throws 503 while the
   * index is built anew, and where too many wait for it.
   */
  async search(query: string, limit: number, semantic?: SemanticEvidence): Promise<FoundByIndex[]> {
    const options = { limit, minFit: this.minFit, ...(semantic === undefined ? {} : { semantic }) };
    const hits = await this.hitsOf(query, options);
    const tools = await this.find(hits.map(({ toolId }) => toolId));
    return hits.flatMap((hit) => {
      const tool = tools.get(hit.toolId);
      return tool === undefined ? [] : [{ tool, hit }];
    });
  }

  /** The tools that are nearest to a query, best first, whether they fit or not. Throws as `search`. */
  async nearest(query: string, limit: number): Promise<ToolContract[]> {
    const hits = await this.hitsOf(query, { limit });
    const tools = await this.find(hits.map(({ toolId }) => toolId));
    return hits.flatMap(({ toolId }) => tools.get(toolId) ?? []);
  }

  /** By term of the index: tools that hold it. Throws as `search`. */
  documentFrequenciesOf(terms: readonly string[]): Promise<number[]> {
    return whole(this.index.documentFrequenciesOf(terms));
  }

  /** Brings what the index knows of calls of these tools up to the evidence. */
  async reindex(toolIds: readonly string[]): Promise<void> {
    await this.index.change(async (index) => {
      const outdated = toolIds.filter(
        (toolId) => evidenceKey(toolId, this.evidence) !== this.indexedEvidence.get(toolId),
      );
      // A row that is newer than what is known is indexed with its change.
      const changed = [...(await this.find(outdated)).values()].filter(
        ({ toolId, version }) => this.tools.known(toolId)?.version === version,
      );
      if (changed.length > 0) await index.upsert(changed.map((tool) => this.toDocument(tool)));
    });
  }

  /** Throws when the catalogue is too large for a copy. */
  async load(): Promise<void> {
    await this.index.change((index) => fill(index, this.loadedDocuments()));
  }

  /** Brings the named tools up to their rows; searches go on meanwhile. */
  async refresh(toolIds: readonly string[]): Promise<void> {
    await this.index.change(async (index) => {
      const current = new Map((await readPublishedByIds(this.pool, toolIds)).map((tool) => [tool.toolId, tool]));
      const gone = toolIds.filter((toolId) => !current.has(toolId));
      for (const toolId of gone) this.remove(toolId);
      await index.remove(gone);
      const toIndex = [...current.values()];
      for (let from = 0; from < toIndex.length; from += INDEX_BATCH_TOOLS) {
        const batch = toIndex.slice(from, from + INDEX_BATCH_TOOLS);
        await index.upsert(batch.map((tool) => this.toDocument(this.put(tool))));
      }
    });
  }

  close(): Promise<void> {
    return this.index.close();
  }

  private async hitsOf(query: string, options: SearchOptions): Promise<SearchHit[]> {
    if (this.waitingSearches >= MAX_WAITING_SEARCHES) {
      throw new AppError('service_unavailable', 'Too many searches wait for the index. Try again in a moment.');
    }
    this.waitingSearches += 1;
    try {
      return await whole(this.index.search(query, options));
    } finally {
      this.waitingSearches -= 1;
    }
  }

  private put(tool: ToolContract): ToolContract {
    this.changed(this.tools.put(tool), tool);
    return tool;
  }

  private remove(toolId: string): void {
    this.indexedEvidence.delete(toolId);
    const before = this.tools.remove(toolId);
    if (before !== undefined) this.changed(before, undefined);
  }

  /** Every published tool; the database reads a page while the one before it is dealt with. */
  private async *pages(): AsyncGenerator<readonly ToolContract[]> {
    let reading: Promise<PublishedPage> | undefined = readPublishedPage(this.pool, '', LOAD_PAGE_TOOLS);
    while (reading !== undefined) {
      const { tools, nextAfter }: PublishedPage = await reading;
      reading = nextAfter === undefined ? undefined : readPublishedPage(this.pool, nextAfter, LOAD_PAGE_TOOLS);
      reading?.catch(() => undefined);
      yield tools;
    }
  }

  private async *loadedDocuments(): AsyncGenerator<SearchDocument[]> {
    for await (const page of this.pages()) {
      yield page.map((tool) => this.toDocument(this.put(tool)));
      if (this.tools.size > MAX_CATALOGUE_TOOLS) throw new Error(`the catalogue exceeds ${MAX_CATALOGUE_TOOLS} tools`);
    }
  }

  /** Documents of all tools that are known, as they are now, for an index that is built anew. */
  private async *documents(): AsyncGenerator<SearchDocument[]> {
    for await (const page of this.pages()) {
      yield page.filter(({ toolId }) => this.tools.known(toolId) !== undefined).map((tool) => this.toDocument(tool));
    }
  }

  private toDocument(tool: ToolContract): SearchDocument {
    const key = evidenceKey(tool.toolId, this.evidence);
    if (key === undefined) this.indexedEvidence.delete(tool.toolId);
    else this.indexedEvidence.set(tool.toolId, key);
    return toSearchDocument(tool, this.evidence);
  }
}

/** Tells whoever asks an index that is built anew to come back. */
async function whole<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (cause) {
    if (!(cause instanceof IndexEnded)) throw cause;
    throw new AppError('service_unavailable', 'The search index is being built anew. Try again in a moment.', {
      cause,
    });
  }
}
