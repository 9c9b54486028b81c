import type { ToolContract } from '@capability-router/contracts';
import { ToolIndex } from '@capability-router/tool-search';
import type { SearchHit } from '@capability-router/tool-search';
import type pg from 'pg';
import { readPublishedByIds, readPublishedPage } from '../catalogue/tools.sql.js';
import { toSearchDocument } from './to-search-document.js';

/** Tools read in one query while the copy is loaded. */
const LOAD_PAGE_TOOLS = 1_000;
/** Tools a copy holds; beyond it the service refuses to start rather than search a part of the catalogue. */
export const MAX_CATALOGUE_TOOLS = 200_000;

/**
 * The published catalogue in memory, with its search index. Events only say which tools to look at again: the rows
 * decide, so an event that comes twice, late or again from long ago does no harm.
 */
export class CatalogueCopy {
  private readonly tools = new Map<string, ToolContract>();
  private index = new ToolIndex([]);

  get size(): number {
    return this.tools.size;
  }

  get(toolId: string): ToolContract | undefined {
    return this.tools.get(toolId);
  }

  /** Best first; nothing when nothing matches. */
  search(query: string, limit: number): { tool: ToolContract; hit: SearchHit }[] {
    return this.index.search(query, limit).flatMap((hit) => {
      const tool = this.tools.get(hit.toolId);
      return tool === undefined ? [] : [{ tool, hit }];
    });
  }

  /** Throws when the catalogue is too large for a copy. */
  async load(pool: pg.Pool): Promise<void> {
    for (let after = ''; ;) {
      const page = await readPublishedPage(pool, after, LOAD_PAGE_TOOLS);
      for (const tool of page) this.tools.set(tool.toolId, tool);
      if (this.tools.size > MAX_CATALOGUE_TOOLS) throw new Error(`the catalogue exceeds ${MAX_CATALOGUE_TOOLS} tools`);
      const last = page.at(-1);
      if (last === undefined || page.length < LOAD_PAGE_TOOLS) break;
      after = last.toolId;
    }
    this.rebuild();
  }

  /** Brings the named tools up to their rows. */
  async refresh(pool: pg.Pool, toolIds: readonly string[]): Promise<void> {
    const current = new Map((await readPublishedByIds(pool, toolIds)).map((tool) => [tool.toolId, tool]));
    for (const toolId of toolIds) {
      const tool = current.get(toolId);
      if (tool === undefined) this.tools.delete(toolId);
      else this.tools.set(toolId, tool);
    }
    this.rebuild();
  }

  private rebuild(): void {
    this.index = new ToolIndex([...this.tools.values()].map(toSearchDocument));
  }
}
