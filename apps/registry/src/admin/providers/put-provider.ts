import type { Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { applyCatalogue, MAX_BATCH_ITEMS, type BatchToolOutcome } from '../../catalogue/apply-catalogue.js';
import { MANIFEST_SOURCE } from '../../catalogue/domain/catalogue-source.js';
import { refreshTools, savedIds } from '../../catalogue/refresh-tools.js';
import { retireAbandoned } from '../../catalogue/retire-abandoned.js';
import type { DefinitionOutcome, DefinitionOutcomes } from '../../catalogue/save-definitions.js';
import { findAbandoned } from '../../catalogue/tools.sql.js';
import type { ReadManifest } from '../manifest/read-manifest.js';
import { MAX_TOOLS_PER_MANIFEST } from '../manifest/manifest-schema.js';

export interface ProviderReport {
  readonly provider: DefinitionOutcome;
  readonly categories: readonly DefinitionOutcome[];
  readonly tools: readonly BatchToolOutcome[];
  /** Ids of tools that the manifest does not name any more. */
  readonly retired: readonly string[];
  /** Tools outside the manifest that got a new version, because a category that they show has changed. */
  readonly refreshed: number;
}

type ProviderManifest = ReadManifest & { readonly provider: NonNullable<ReadManifest['provider']> };

@Injectable()
export class PutProvider {
  /** `committed`: to be called after a commit, so that readers of the events look at once. */
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  /**
   * Makes a provider what its manifest says: tools that its list does not name are retired; without a list, tools stay as
   * they are. Repeating it changes nothing. A short transaction for each 500 tools: one that breaks off is completed by
   * sending the manifest again.
   */
  async put(manifest: ProviderManifest, dryRun: boolean): Promise<ProviderReport> {
    const { pool, clock } = this;
    const options = { source: MANIFEST_SOURCE, dryRun, overlay: { providers: new Map(), categories: new Map() } };
    const { provider, categories } = manifest;
    const { providerId } = provider;
    const first = await applyCatalogue(pool, clock, { providers: [provider], categories, tools: [] }, options);
    const [
      outcome = { id: providerId, result: 'refused', message: 'The provider was not saved', owner: MANIFEST_SOURCE },
    ] = first.providers;
    if (outcome.result === 'refused') {
      await this.refresh(first, dryRun);
      return { provider: outcome, categories: [], tools: [], retired: [], refreshed: 0 };
    }
    const tools: BatchToolOutcome[] = [];
    for (let from = 0; from < manifest.tools.length; from += MAX_BATCH_ITEMS) {
      const batch = { providers: [], categories: [], tools: manifest.tools.slice(from, from + MAX_BATCH_ITEMS) };
      tools.push(...(await applyCatalogue(pool, clock, batch, options)).tools);
    }
    const retired = manifest.saysTools ? await this.retireAbsent(manifest, dryRun) : [];
    const refreshed = await this.refresh(first, dryRun);
    if (!dryRun) this.committed();
    return { provider: outcome, categories: first.categories, tools, retired, refreshed };
  }

  /** All tools that show what the manifest names, also those of other sources, and where an earlier change of it broke off. */
  private async refresh({ providers, categories }: DefinitionOutcomes, dryRun: boolean): Promise<number> {
    if (dryRun) return 0;
    const named = { providerIds: savedIds(providers), categorySlugs: savedIds(categories) };
    return refreshTools(this.pool, this.clock, named);
  }

  private async retireAbsent({ tools, provider }: ProviderManifest, dryRun: boolean): Promise<string[]> {
    const { providerId } = provider;
    const absent = { source: MANIFEST_SOURCE, providerId, kept: tools.map(({ manifest }) => manifest.toolId) };
    if (!dryRun) return retireAbandoned(this.pool, this.clock, absent);
    return (await findAbandoned(this.pool, { ...absent, limit: MAX_TOOLS_PER_MANIFEST })).map(({ toolId }) => toolId);
  }
}
