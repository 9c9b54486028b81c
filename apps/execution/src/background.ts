import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ExecutionConfig } from './config.js';
import type { ExecutionJournal } from './execute/execution-journal.js';
import { repeatEvery, type BackgroundTask } from './lifecycle/background-task.js';
import { interruptLapsed } from './lifecycle/interrupt-lapsed.js';
import { sweepPayloads } from './payloads/payload-store.js';
import type { ResultStore } from './result-shaping/result-store.js';

const RESULT_SWEEP_INTERVAL_MS = 60_000;
const PAYLOAD_SWEEP_INTERVAL_MS = 3_600_000;

/** What runs beside requests, on every replica. */
export function startBackgroundTasks(parts: {
  readonly pool: pg.Pool;
  readonly journal: ExecutionJournal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly resultStore: ResultStore;
  readonly config: ExecutionConfig;
}): BackgroundTask {
  const { pool, journal, clock, logger, resultStore, config } = parts;
  const tasks = [
    repeatEvery(
      'interrupt dead executions',
      config.interruptIntervalMs,
      async () => {
        const interrupted = await interruptLapsed(pool, journal, clock);
        if (interrupted > 0) logger.warn({ interrupted }, 'executions without a living owner were interrupted');
      },
      logger,
    ),
    repeatEvery(
      'sweep results',
      RESULT_SWEEP_INTERVAL_MS,
      async () => {
        const { evicted } = await resultStore.sweep(clock.nowMs());
        if (evicted > 0) logger.warn({ evicted }, 'the result store is full: the oldest results were removed early');
      },
      logger,
    ),
    repeatEvery(
      'sweep payloads',
      PAYLOAD_SWEEP_INTERVAL_MS,
      async () => {
        await sweepPayloads(pool, config.payloadRetentionDays);
      },
      logger,
    ),
  ];
  return {
    stop: async () => {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}
