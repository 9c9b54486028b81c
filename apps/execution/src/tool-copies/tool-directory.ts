import type { ToolContract } from '@capability-router/contracts';

export type ToolCopy = { readonly retired: false; readonly tool: ToolContract } | { readonly retired: true };

/** The tools that this replica knows, in memory. */
export class ToolDirectory {
  private readonly copies = new Map<string, ToolCopy>();

  find(toolId: string): ToolCopy | undefined {
    return this.copies.get(toolId);
  }

  put(toolId: string, copy: ToolCopy): void {
    this.copies.set(toolId, copy);
  }

  get size(): number {
    return this.copies.size;
  }
}
