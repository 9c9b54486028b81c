import type { Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, LOGGER, POOL } from '@capability-router/service-kit';
import type { ServiceRuntime } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { YamlPool } from './manifest/yaml-pool.js';

/** What catalogue administration works with. */
@Injectable()
export class AdminContext {
  /** `committed`: to be called after a commit, so that readers of the events look at once. */
  constructor(
    @Inject(POOL) readonly pool: pg.Pool,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(LOGGER) readonly logger: ServiceRuntime['logger'],
    @Inject(COMMITTED) readonly committed: () => void,
    @Inject(YamlPool) readonly yaml: YamlPool,
  ) {}
}
