import type { ToolContract } from '@capability-router/contracts';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { readPublishedByIds } from '../catalogue/tools.sql.js';
import { KnownTools, type KnownTool } from './known-tool.js';

/** Contracts that are kept: those that were asked for last. */
const MAX_KEPT_CONTRACTS = 4_000;

/**
 * The published tools: a little of each is in memory, and the contracts that were asked for last. Another one is read by its id. All of a
 * hundred thousand tools would take several times what their index does, and every collection of garbage would go through them.
 */
export class PublishedTools {
  private readonly tools = new Map<string, KnownTool>();
  private readonly knownTools = new KnownTools();
  private readonly contracts: LRUCache<string, ToolContract>;
  /** Those of `tools` whose examples verification may run. */
  private readonly examples = new Map<string, KnownTool>();
  /** Tools that declare a capability, by its id. */
  private readonly servers = new Map<string, number>();

  constructor(maxKeptContracts = MAX_KEPT_CONTRACTS) {
    this.contracts = new LRUCache({ max: maxKeptContracts });
  }

  get size(): number {
    return this.tools.size;
  }

  known(toolId: string): KnownTool | undefined {
    return this.tools.get(toolId);
  }

  withExamples(): Iterable<KnownTool> {
    return this.examples.values();
  }

  /** Does another tool declare one of the capabilities of this one? */
  hasAlternative({ capabilities }: ToolContract): boolean {
    return capabilities.some(({ id }) => (this.servers.get(id) ?? 0) > 1);
  }

  /** The contracts of those of the tools that are published. */
  async find(pool: pg.Pool, toolIds: readonly string[]): Promise<ReadonlyMap<string, ToolContract>> {
    const found = new Map<string, ToolContract>();
    const missing: string[] = [];
    for (const toolId of toolIds) {
      const kept = this.contracts.get(toolId);
      if (kept !== undefined) found.set(toolId, kept);
      else if (this.tools.has(toolId)) missing.push(toolId);
    }
    if (missing.length === 0) return found;
    for (const tool of await readPublishedByIds(pool, missing)) {
      found.set(tool.toolId, tool);
      // Another version than the one that is known is on its way in, or has been overtaken while it was read.
      if (this.tools.get(tool.toolId)?.version === tool.version) this.contracts.set(tool.toolId, tool);
    }
    return found;
  }

  /** Gives what was known of the tool before. */
  put(tool: ToolContract): KnownTool | undefined {
    const { toolId } = tool;
    const wasKept = this.contracts.has(toolId);
    const before = this.remove(toolId);
    const known = this.knownTools.of(tool);
    this.tools.set(toolId, known);
    this.countServers(known, 1);
    if (known.runsExamples) this.examples.set(toolId, known);
    // Many tools that come at once drive out none that is asked for.
    if (wasKept || this.contracts.size < this.contracts.max) this.contracts.set(toolId, tool);
    return before;
  }

  /** Gives what was known of the tool. */
  remove(toolId: string): KnownTool | undefined {
    const before = this.tools.get(toolId);
    if (before === undefined) return undefined;
    this.countServers(before, -1);
    this.tools.delete(toolId);
    this.examples.delete(toolId);
    this.contracts.delete(toolId);
    return before;
  }

  private countServers({ capabilities }: KnownTool, change: 1 | -1): void {
    for (const id of capabilities) {
      const count = (this.servers.get(id) ?? 0) + change;
      if (count === 0) this.servers.delete(id);
      else this.servers.set(id, count);
    }
  }
}
