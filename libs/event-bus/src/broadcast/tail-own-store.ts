import type { OutboxSource, Position, StoredEvent } from '@capability-router/event-store';
import type pg from 'pg';
import { DEFAULT_MAX_BATCH_EVENTS } from '../event-bus.js';
import { type BusLogger, silentLogger } from '../logger.js';
import { backoffMs } from '../shared/backoff.js';
import { Idle } from '../shared/idle.js';

export const DEFAULT_POLL_INTERVAL_MS = 100;

export interface TailOptions {
  source: OutboxSource;
  /** `''`: everything; `currentHorizon(pool)`: what is committed from now on. */
  from: Position;
  /** Milliseconds; 100 where absent. */
  pollIntervalMs?: number;
  /** Where it throws, the same events come again after a pause. */
  handle(events: readonly StoredEvent[]): Promise<void>;
  /** Narrows the read. */
  topics?: readonly string[];
  logger?: BusLogger;
}

export interface Tail {
  stop(): Promise<void>;
  /** Has it read to the end since it began? */
  caughtUp(): boolean;
  nudge(): void;
}

/** Broadcast mode for a service with a database: tails its own store in memory, every replica sees every event. */
export function tailOwnStore(pool: pg.Pool, options: TailOptions): Tail {
  const idle = new Idle(options.pollIntervalMs ?? DEFAULT_POLL_INTERVAL_MS);
  const logger = options.logger ?? silentLogger;
  let caughtUp = false;

  const run = async (): Promise<void> => {
    let position = options.from;
    let failures = 0;
    while (!idle.closed) {
      try {
        const page = await options.source.readAfter(pool, position, DEFAULT_MAX_BATCH_EVENTS, options.topics);
        if (page.events.length > 0) {
          await options.handle(page.events);
          idle.active();
        }
        failures = 0;
        const moved = page.position !== position;
        position = page.position;
        if (!moved) {
          caughtUp = true;
          await idle.wait();
        }
      } catch (error) {
        failures += 1;
        logger.warn({ err: error, failures }, 'tailing the event store failed and goes on after a pause');
        await idle.pause(backoffMs(failures));
      }
    }
  };
  const running = run();

  return {
    stop: async () => {
      idle.close();
      await running;
    },
    caughtUp: () => caughtUp,
    nudge: () => idle.nudge(),
  };
}
