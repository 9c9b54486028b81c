import { ChangedRowsCopy, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { ToolCopy } from './tool-copy.entity.js';
import { findToolCopies } from './tool-copies.js';

/** Tools that are kept, some kB each. */
const MAX_KNOWN_TOOLS = 2_000;

interface ChangedTool {
  readonly tool_id: string;
}

/** The tools that queries asked for last, in memory, in every replica: each is read once, and once more after it has changed. */
@Injectable()
export class KnownTools {
  /** Undefined for one that the catalogue does not have. The oldest first. */
  private readonly known = new Map<string, ToolCopy | undefined>();
  /** Grows with each refresh that found something. */
  private changes = 0;
  private readonly rows = new ChangedRowsCopy<ChangedTool>(
    { table: 'tool_copies', key: 'tool_id', columns: ['tool_id'] },
    (rows) => {
      for (const { tool_id: toolId } of rows) this.known.delete(toolId);
      if (rows.length > 0) this.changes += 1;
    },
  );

  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** Begins where the table stands. */
  load(): Promise<void> {
    return this.rows.load(this.pool);
  }

  /** Drops what has changed since. */
  async refresh(): Promise<void> {
    await this.rows.refresh(this.pool);
  }

  /** Those of the tools that the catalogue has or had, by tool id. */
  async of(toolIds: readonly string[]): Promise<ReadonlyMap<string, ToolCopy>> {
    const missing = toolIds.filter((toolId) => !this.known.has(toolId));
    const read = missing.length === 0 ? undefined : await this.read(missing);
    const found = new Map<string, ToolCopy>();
    for (const toolId of toolIds) {
      const tool = read?.get(toolId) ?? this.known.get(toolId);
      if (tool !== undefined) found.set(toolId, tool);
    }
    return found;
  }

  private async read(toolIds: readonly string[]): Promise<ReadonlyMap<string, ToolCopy>> {
    const { changes } = this;
    const read = await findToolCopies(this.pool, toolIds);
    // A change that was seen meanwhile may be one that this read did not see.
    if (changes === this.changes) for (const toolId of toolIds) this.keep(toolId, read.get(toolId));
    return read;
  }

  private keep(toolId: string, tool: ToolCopy | undefined): void {
    const [oldest] = this.known.keys();
    if (oldest !== undefined && this.known.size >= MAX_KNOWN_TOOLS) this.known.delete(oldest);
    this.known.set(toolId, tool);
  }
}
