import type { Tail } from '@capability-router/event-bus';
import { LOGGER, POOL, type ServiceRuntime } from '@capability-router/service-kit';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import { SemanticSearch } from '../embedding/semantic-search.js';
import { ProviderDirectory } from '../providers/domain/provider-directory.js';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { followCatalogue } from './follow-catalogue.js';

/** Keeps the copy of the catalogue, and what follows from it, at what is published. */
@Injectable()
export class CatalogueFollower implements BeforeApplicationShutdown, OnApplicationShutdown {
  private tail: Tail | undefined;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(LOGGER) private readonly logger: ServiceRuntime['logger'],
    @Inject(CatalogueCopy) private readonly catalogue: CatalogueCopy,
    @Inject(ProviderDirectory) providers: ProviderDirectory,
    @Inject(SemanticSearch) searcher: SemanticSearch,
  ) {
    catalogue.onChange((before, after) => {
      providers.replace(before?.place, after);
      searcher.changed(before, after);
    });
  }

  /** Is the catalogue in memory, and searched? */
  get isLoaded(): boolean {
    return this.tail !== undefined && this.catalogue.isSearchable;
  }

  /** Published tools in memory. */
  get tools(): number {
    return this.catalogue.size;
  }

  /** Loads the catalogue and follows it from then on. Rejects when it is too large. */
  async start(): Promise<void> {
    this.tail = await followCatalogue(this.pool, this.catalogue, this.logger);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.tail?.stop();
  }

  /** The requests that were under way are answered by then. */
  onApplicationShutdown(): Promise<void> {
    return this.catalogue.close();
  }
}
