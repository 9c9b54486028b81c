import { setImmediate } from 'node:timers/promises';
import { paramsFromSchema, type CapabilityContract, type LocalizedText } from '@capability-router/contracts';
import { loadShippedOptions, ToolIndex, weighing, type SearchDocument } from '@capability-router/tool-search';
import { Inject, Injectable } from '@nestjs/common';
import { KnownContracts } from '../contracts/known-contracts.js';
import { MAX_NEAREST, resolve, type Resolution } from './resolve.js';

/** Contracts that are indexed at once. */
const PAGE_CONTRACTS = 200;
/** Running a capability costs money: what a request says counts for more than what it is like. */
const certainty = weighing(0.3);

/** Every capability that has a contract, in memory, searched by what it is to do. */
@Injectable()
export class CapabilityIndex {
  private index: ToolIndex | undefined;
  /** Ids as they are written, by how the index knows them. */
  private readonly ids = new Map<string, string>();
  private last: Promise<void> = Promise.resolve();

  constructor(@Inject(KnownContracts) private readonly contracts: KnownContracts) {}

  /** Brings the contracts in memory, and the index over them, up to those that there are; what was committed before is in them, unless older transactions are still open. */
  refresh(): Promise<void> {
    const next = this.last.then(() => this.bringUp());
    this.last = next.catch(() => undefined);
    return next;
  }

  private async bringUp(): Promise<void> {
    const index = (this.index ??= new ToolIndex([], {
      ...(await loadShippedOptions()),
      judgement: certainty,
    }));
    const changes = [...(await this.contracts.refresh())];
    for (let from = 0; from < changes.length; from += PAGE_CONTRACTS) {
      const page = changes.slice(from, from + PAGE_CONTRACTS);
      index.remove(page.filter(([, contract]) => contract === undefined).map(([id]) => keyOf(id)));
      const contracts = page.flatMap(([, contract]) => contract ?? []);
      index.upsert(contracts.map(documentOf));
      for (const { capabilityId } of contracts) this.ids.set(keyOf(capabilityId), capabilityId);
      await setImmediate();
    }
  }

  /** Finds the capability that a request in words means. */
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
