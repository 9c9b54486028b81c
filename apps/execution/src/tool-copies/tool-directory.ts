import type { ToolContract } from '@capability-router/contracts';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { loadToolCopies, type KnownCopy, type StoredToolCopy } from './tool-copies.sql.js';

/** Contracts that are kept: those that were called last. */
export const MAX_KEPT_CONTRACTS = 4_000;

export type ToolCopy = { readonly retired: false; readonly tool: ToolContract } | { readonly retired: true };

/**
 * The tools that this replica knows: a little of each is in memory, and the contracts that were called last. Another one is
 * read by its id: of a hundred thousand tools few are called.
 */
export class ToolDirectory {
  private readonly copies = new Map<string, KnownCopy>();
  /** Each once: tools of a provider share it. */
  private readonly providerIds = new Map<string, string>();
  /** Copies that are not of retired tools. */
  private publishedCount = 0;
  private readonly contracts: LRUCache<string, ToolContract>;

  constructor(
    private readonly pool: pg.Pool,
    maxKeptContracts = MAX_KEPT_CONTRACTS,
  ) {
    this.contracts = new LRUCache({ max: maxKeptContracts });
  }

  async find(toolId: string): Promise<ToolCopy | undefined> {
    const kept = this.contracts.get(toolId);
    if (kept !== undefined) return { retired: false, tool: kept };
    const known = this.copies.get(toolId);
    if (known === undefined) return undefined;
    if (known.retired) return { retired: true };
    const [stored] = await loadToolCopies(this.pool, [toolId]);
    if (stored === undefined) return undefined;
    const tool = contractOf(stored);
    if (tool === undefined) return { retired: true };
    // Another version than the one that is known is on its way in, or has been overtaken while it was read.
    if (this.isKnown(toolId, tool.version)) this.contracts.set(toolId, tool);
    return { retired: false, tool };
  }

  known(toolId: string): KnownCopy | undefined {
    return this.copies.get(toolId);
  }

  put(toolId: string, copy: KnownCopy): void {
    const before = this.copies.get(toolId);
    this.publishedCount += Number(!copy.retired) - Number(before?.retired === false);
    this.copies.set(
      toolId,
      copy.providerId === undefined ? copy : { ...copy, providerId: this.shared(copy.providerId) },
    );
    this.contracts.delete(toolId);
  }

  /** Is the contract of a change kept? Where that of before is, or where there is room. */
  keeps(toolId: string): boolean {
    return this.contracts.has(toolId) || this.contracts.size < this.contracts.max;
  }

  /** With its contract, as far as that is kept. */
  putWhole(stored: StoredToolCopy): void {
    const { toolId, version, retired, providerId } = stored;
    const isWanted = this.keeps(toolId);
    this.put(toolId, { version, retired, ...(providerId === undefined ? {} : { providerId }) });
    const tool = isWanted ? contractOf(stored) : undefined;
    if (tool !== undefined) this.contracts.set(toolId, tool);
  }

  /** Tools of a provider that can be called. */
  async publishedBy(providerId: string): Promise<ToolContract[]> {
    const toolIds = [...this.copies].flatMap(([toolId, copy]) =>
      !copy.retired && copy.providerId === providerId ? [toolId] : [],
    );
    if (toolIds.length === 0) return [];
    return (await loadToolCopies(this.pool, toolIds)).flatMap((stored) => contractOf(stored) ?? []);
  }

  /** Tools that can be called. */
  get published(): number {
    return this.publishedCount;
  }

  get size(): number {
    return this.copies.size;
  }

  private isKnown(toolId: string, version: number): boolean {
    const known = this.copies.get(toolId);
    return known?.retired === false && known.version === version;
  }

  private shared(providerId: string): string {
    const known = this.providerIds.get(providerId);
    if (known === undefined) this.providerIds.set(providerId, providerId);
    return known ?? providerId;
  }
}

const contractOf = ({ retired, contract }: StoredToolCopy): ToolContract | undefined =>
  retired || contract === undefined ? undefined : (JSON.parse(contract) as ToolContract);
