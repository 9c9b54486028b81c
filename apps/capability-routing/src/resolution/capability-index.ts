import { paramsFromSchema, type CapabilityContract, type LocalizedText } from '@capability-router/contracts';
import { POOL } from '@capability-router/service-kit';
import { loadShippedOptions, ToolIndex, type SearchDocument } from '@capability-router/tool-search';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { findContracts, listVersions } from './known-contracts.js';
import { MAX_NEAREST, resolve, type Resolution } from './resolve.js';

/** Contracts read at once. */
const PAGE_CONTRACTS = 200;

/** Every capability that has a contract, in memory, searched by what it is to do. */
@Injectable()
export class CapabilityIndex {
  private index: ToolIndex | undefined;
  /** The version that is indexed, by id. */
  private readonly indexed = new Map<string, number>();
  /** Ids as they are written, by how the index knows them. */
  private readonly ids = new Map<string, string>();

  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** Brings the index up to the contracts that there are. */
  async refresh(): Promise<void> {
    const index = (this.index ??= new ToolIndex([], await loadShippedOptions()));
    const versions = await listVersions(this.pool);
    const changed = versions.filter(({ capabilityId, contractVersion }) => {
      return this.indexed.get(capabilityId) !== contractVersion;
    });
    for (let from = 0; from < changed.length; from += PAGE_CONTRACTS) {
      const page = changed.slice(from, from + PAGE_CONTRACTS).map(({ capabilityId }) => capabilityId);
      const contracts = await findContracts(this.pool, page);
      index.upsert(contracts.map(documentOf));
      for (const { capabilityId, contractVersion } of contracts) {
        this.indexed.set(capabilityId, contractVersion);
        this.ids.set(keyOf(capabilityId), capabilityId);
      }
    }
    const present = new Set(versions.map(({ capabilityId }) => capabilityId));
    const gone = [...this.indexed.keys()].filter((capabilityId) => !present.has(capabilityId));
    index.remove(gone.map(keyOf));
    for (const capabilityId of gone) this.indexed.delete(capabilityId);
  }

  /** What a request in words means. */
  resolve(query: string): Resolution {
    // One more than is told: who is nearest by certainty need not be first by rank.
    const hits = this.index?.search(query, { limit: 2 * MAX_NEAREST }) ?? [];
    return resolve(hits.map((hit) => ({ ...hit, toolId: this.ids.get(hit.toolId) ?? hit.toolId })));
  }
}

/** The index finds an id in whatever case it is asked for. */
const keyOf = (capabilityId: string): string => capabilityId.normalize('NFKC').toLowerCase();

const texts = ({ en, zh }: LocalizedText): string[] => (zh === undefined ? [en] : [en, zh]);

const documentOf = ({ capabilityId, name, description, parametersSchema }: CapabilityContract): SearchDocument => ({
  toolId: keyOf(capabilityId),
  name: texts(name),
  description: texts(description),
  provider: [],
  category: [],
  params: paramsFromSchema(parametersSchema, { constraints: false }).map(
    ({ name: param, description: meaning = '' }) => `${param} ${meaning}`,
  ),
});
