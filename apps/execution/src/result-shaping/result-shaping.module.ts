import { CLOCK, CONFIG, LOGGER, METRICS, POOL } from '@capability-router/service-kit';
import type { Clock } from '@capability-router/kernel';
import { Module } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ExecutionConfig } from '../config.js';
import { CallerJsonPaths } from '../providers/json-paths.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { EXECUTION_PUBLIC_URL } from '../tokens.js';
import { ResultShaper } from './result-shaper.js';
import { ResultsController } from './serving/results.controller.js';
import { KeptResults } from './store/kept-results.js';
import { openResultStore } from './store/open-result-store.js';
import { SweepResultsTask } from './store/sweep-results.task.js';

@Module({
  imports: [ProvidersModule],
  controllers: [ResultsController],
  providers: [
    SweepResultsTask,
    {
      provide: KeptResults,
      inject: [CONFIG, POOL, CLOCK, METRICS],
      useFactory: async ({ resultStore }: ExecutionConfig, pool: pg.Pool, clock: Clock, registry: Registry) =>
        new KeptResults({
          store: await openResultStore(resultStore.place),
          pool,
          clock,
          limits: resultStore,
          registry,
        }),
    },
    {
      provide: ResultShaper,
      inject: [KeptResults, CallerJsonPaths, CONFIG, EXECUTION_PUBLIC_URL, CLOCK, LOGGER],
      useFactory: (
        store: KeptResults,
        jsonPaths: CallerJsonPaths,
        config: ExecutionConfig,
        publicUrl: string,
        clock: Clock,
        logger: Logger,
      ) => {
        const { resultLinkKey: linkKey, resultStore } = config;
        return new ResultShaper({
          store,
          jsonPaths,
          linkKey,
          linkLifetimeMs: resultStore.lifetimeMs,
          publicUrl,
          clock,
          logger,
        });
      },
    },
  ],
  exports: [KeptResults, ResultShaper],
})
export class ResultShapingModule {}
