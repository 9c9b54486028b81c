import type { Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, LOGGER, PeriodicTasks, POOL, type ServiceRuntime } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type pg from 'pg';
import type { CatalogueSource } from './catalogue/domain/catalogue-source.js';
import { publishCatalogue } from './catalogue/publish-catalogue.js';
import { SemanticSearch } from './embedding/semantic-search.js';
import { Evidence } from './evidence/evidence.js';
import { CatalogueFollower } from './live-catalogue/catalogue-follower.js';
import { CatalogueCopy } from './search-index/catalogue-copy.js';
import { CATALOGUE_SOURCE } from './tokens.js';
import { VerificationCopy } from './verification/verification-copy.js';

/** Starts the registry: it is ready when all of this is done, in this order. */
@Injectable()
export class RegistryStart {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: ServiceRuntime['logger'],
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(CATALOGUE_SOURCE) private readonly source: CatalogueSource,
    @Inject(Evidence) private readonly evidence: Evidence,
    @Inject(VerificationCopy) private readonly verifications: VerificationCopy,
    @Inject(CatalogueCopy) private readonly catalogue: CatalogueCopy,
    @Inject(CatalogueFollower) private readonly follower: CatalogueFollower,
    @Inject(SemanticSearch) private readonly searcher: SemanticSearch,
    @Inject(ModuleRef) private readonly modules: ModuleRef,
  ) {}

  /** Publishes what this build has, loads what is published, and begins with the work in the background. */
  async start(): Promise<void> {
    await this.evidence.load();
    await this.verifications.load();
    const changes = await publishCatalogue(this.pool, this.clock, this.source);
    await this.follower.start();
    this.logger.info({ ...changes, tools: this.catalogue.size }, 'the catalogue is loaded');
    if (changes.published + changes.retired + changes.refreshed > 0) this.committed();
    this.searcher.start();
    this.modules.get(PeriodicTasks, { strict: false }).start();
  }
}
