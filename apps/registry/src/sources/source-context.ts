import type { Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, CONFIG, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { ConversionPool } from './conversion-pool.js';
import type { SourceAccess, SourceReading } from './read-source.js';

/** What an import of a source works with. */
@Injectable()
export class SourceContext implements SourceReading {
  readonly access: SourceAccess;

  /** `committed`: to be called after a commit, so that readers of the events look at once. */
  constructor(
    @Inject(POOL) readonly pool: pg.Pool,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(COMMITTED) readonly committed: () => void,
    @Inject(ConversionPool) readonly conversions: ConversionPool,
    @Inject(CONFIG) config: { readonly sourceAccess: SourceAccess },
  ) {
    this.access = config.sourceAccess;
  }
}
