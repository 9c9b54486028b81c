import { CLOCK, CONFIG, LOGGER } from '@capability-router/service-kit';
import type { Clock } from '@capability-router/kernel';
import { Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { CallModule } from '../call/call.module.js';
import type { ExecutionConfig } from '../config.js';
import { ResultShaper } from '../result-shaping/result-shaper.js';
import { ResultShapingModule } from '../result-shaping/result-shaping.module.js';
import { KeptResults } from '../result-shaping/store/kept-results.js';
import { ExecuteOncePerKey } from './execute-once-per-key.js';
import { AnswerKeeper } from './kept-answer.js';
import { KeyedRequestMetrics } from './keyed-request-metrics.js';
import { SweepKeysTask } from './sweep-keys.task.js';

@Module({
  imports: [CallModule, ResultShapingModule],
  providers: [
    ExecuteOncePerKey,
    SweepKeysTask,
    KeyedRequestMetrics,
    {
      provide: AnswerKeeper,
      inject: [KeptResults, ResultShaper, CONFIG, CLOCK, LOGGER],
      useFactory: (
        store: KeptResults,
        shaper: ResultShaper,
        { idempotency, resultStore }: ExecutionConfig,
        clock: Clock,
        logger: Logger,
      ) =>
        new AnswerKeeper({
          store,
          shaper,
          resultLifetimeMs: resultStore.lifetimeMs,
          maxAnswerBytes: idempotency.maxAnswerBytes,
          lifetimeMs: idempotency.keyLifetimeMs,
          clock,
          logger,
        }),
    },
  ],
  exports: [ExecuteOncePerKey, AnswerKeeper],
})
export class IdempotencyModule {}
