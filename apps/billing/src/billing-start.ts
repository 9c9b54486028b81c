import { LOGGER, PeriodicTasks, POOL, type ServiceRuntime } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type pg from 'pg';
import { reportProjectionVersions } from './usage-audit/projection-versions.js';

/** Everything that billing does before it is ready, in this order. */
@Injectable()
export class BillingStart {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(LOGGER) private readonly logger: ServiceRuntime['logger'],
    @Inject(ModuleRef) private readonly modules: ModuleRef,
  ) {}

  /** Says in the log which projections are to be built anew, and begins with the work in the background. */
  async start(): Promise<void> {
    await reportProjectionVersions(this.pool, this.logger);
    this.modules.get(PeriodicTasks, { strict: false }).start();
  }
}
