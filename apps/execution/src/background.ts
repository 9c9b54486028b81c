import type { Clock } from '@capability-router/kernel';
import { eraseDueAccounts } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ExecutionConfig } from './config.js';
import { forgetCredentials } from './credentials/forget-credentials.js';
import { forgetAccount } from './erasure/forget-account.js';
import type { ExecutionJournal } from './execute/execution-journal.js';
import { sweepIdempotencyKeys } from './idempotency/key-store.js';
import { repeatEvery, type BackgroundTask } from './lifecycle/background-task.js';
import { interruptLapsed } from './lifecycle/interrupt-lapsed.js';
import { sweepPayloads } from './payloads/payload-store.js';
import type { KeptResults } from './result-shaping/store/kept-results.js';

const RESULT_SWEEP_INTERVAL_MS = 60_000;
const PAYLOAD_SWEEP_INTERVAL_MS = 3_600_000;
const IDEMPOTENCY_SWEEP_INTERVAL_MS = 60_000;
/** Milliseconds until what is kept of an erased account goes, once its event has come. */
const ERASURE_INTERVAL_MS = 5_000;

/** What runs beside requests, on every replica. */
export function startBackgroundTasks(parts: {
  readonly pool: pg.Pool;
  readonly journal: ExecutionJournal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keptResults: KeptResults;
  readonly config: ExecutionConfig;
}): BackgroundTask {
  const { pool, journal, clock, logger, keptResults, config } = parts;
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
        const { evicted } = await keptResults.sweep();
        if (evicted > 0) logger.warn({ evicted }, 'the result store is full: results were removed early');
      },
      logger,
      // At once, for what the process before has left, and so that a store that is not there is in the log from the start.
      0,
    ),
    repeatEvery(
      'erase accounts',
      ERASURE_INTERVAL_MS,
      async () => {
        await eraseDueAccounts(
          pool,
          clock,
          async (accountId) =>
            (await forgetCredentials(pool, accountId)) + (await forgetAccount(pool, keptResults, accountId)),
        );
      },
      logger,
    ),
    repeatEvery(
      'sweep idempotency keys',
      IDEMPOTENCY_SWEEP_INTERVAL_MS,
      async () => {
        await sweepIdempotencyKeys(pool);
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
