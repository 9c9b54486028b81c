import { inTransaction } from '@capability-router/event-store';
import type { EventEnvelope } from '@capability-router/contracts';
import type pg from 'pg';
import type { EventBusMetrics, SharedSubscription } from '../event-bus.js';
import type { BusLogger } from '../logger.js';
import { backoffMs } from './backoff.js';
import { advancePositions, lockPositions, type PositionMove, type SlotId } from './consumer-position.js';
import { classifyError, PermanentError } from './errors.js';
import { isolateFailures, type KeyFailure } from './isolate-failures.js';
import { describeError, park, parkedKeys } from './park.js';
import type { PositionedEvent } from './positioned-event.js';

/** Times a batch that fails for an unknown reason is tried as a whole before its bad keys are looked for. */
export const MAX_UNKNOWN_ATTEMPTS = 3;

export interface ParkedCopy {
  event: EventEnvelope;
  group: string;
  reason: string;
}

export interface ChunkProcessorOptions {
  logger: BusLogger;
  metrics: EventBusMetrics;
  /** A copy for people, after the commit; its loss loses nothing, the parked row is the record. */
  onParked?: (parked: readonly ParkedCopy[]) => Promise<void>;
}

export type ChunkOutcome = 'done' | 'fenced';

/** Events of one slot, from `expected` on; afterwards its position is `next`. */
export interface Chunk extends PositionMove {
  readonly events: readonly PositionedEvent[];
}

/** One chunk, one transaction: compare and lock the position, handle, write the position, commit. */
export class ChunkProcessor {
  constructor(
    private readonly pool: pg.Pool,
    private readonly subscription: SharedSubscription,
    private readonly options: ChunkProcessorOptions,
  ) {}

  /**
   * `expected`: the position as this consumer knows it; `next`: where it is afterwards. `'fenced'`: someone else has
   * moved it; nothing was done. Throws transient errors only; nothing was done then either.
   */
  async process(
    slot: SlotId,
    expected: string,
    events: readonly PositionedEvent[],
    next: string,
  ): Promise<ChunkOutcome> {
    const startedAt = performance.now();
    this.options.metrics.batchRead?.(slot);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const outcome = await this.run(slot, expected, events, next, false);
        if (outcome === 'fenced') this.options.metrics.batchFenced?.(slot);
        else this.handled(slot, events, performance.now() - startedAt);
        return outcome;
      } catch (error) {
        this.options.metrics.batchRetried?.(slot);
        const kind = classifyError(error);
        if (kind === 'transient') throw error;
        if (kind === 'permanent' || attempt >= MAX_UNKNOWN_ATTEMPTS) {
          return this.run(slot, expected, events, next, true);
        }
        this.options.logger.warn({ err: error, ...slot, attempt }, 'a batch of events failed and is tried again');
        await new Promise((resolve) => setTimeout(resolve, backoffMs(attempt)));
      }
    }
  }

  /**
   * Chunks of several partitions of one topic, all in one transaction. `'apart'`: nothing was done, and each has to be
   * processed by itself, since one of them was fenced, waits behind parked events, or could not be handled. Throws
   * transient errors only; nothing was done then either.
   */
  async processTogether(chunks: readonly [Chunk, ...Chunk[]]): Promise<'done' | 'apart'> {
    const startedAt = performance.now();
    const [{ slot }] = chunks;
    const { metrics } = this.options;
    const events = chunks.flatMap((chunk) => chunk.events);
    if (events.some(({ malformed }) => malformed !== undefined)) return 'apart';
    metrics.batchRead?.(slot);
    try {
      const outcome = await inTransaction(this.pool, async (tx) => {
        if (!(await lockPositions(tx, chunks))) return 'apart';
        const keys = [...new Set(events.map(({ event }) => event.partitionKey))];
        if ((await parkedKeys(tx, slot, keys)).size > 0) return 'apart';
        await this.subscription.handle(
          events.map(({ event }) => event),
          tx,
        );
        await advancePositions(tx, chunks);
        metrics.batchApplied?.(slot);
        return 'done';
      });
      if (outcome === 'done') this.handled(slot, events, performance.now() - startedAt);
      return outcome;
    } catch (error) {
      metrics.batchRetried?.(slot);
      if (classifyError(error) === 'transient') throw error;
      this.options.logger.warn(
        { err: error, group: slot.group, topic: slot.topic },
        'batches failed together, each is tried apart',
      );
      return 'apart';
    }
  }

  private handled(slot: SlotId, events: readonly PositionedEvent[], durationMs: number): void {
    const { metrics } = this.options;
    metrics.batchHandled?.(slot, events.length, durationMs);
    if (metrics.eventsHandled === undefined) return;
    metrics.eventsHandled(
      slot,
      events.map(({ event }) => event),
      durationMs,
    );
  }

  private async run(
    slot: SlotId,
    expected: string,
    events: readonly PositionedEvent[],
    next: string,
    isolate: boolean,
  ): Promise<ChunkOutcome> {
    const failures: KeyFailure[] = [];
    const outcome = await inTransaction<ChunkOutcome>(this.pool, async (tx) => {
      if (!(await lockPositions(tx, [{ slot, expected }]))) return 'fenced';
      const keys = [...new Set(events.map(({ event }) => event.partitionKey))];
      const waitingKeys = await parkedKeys(tx, slot, keys);
      const isWaiting = ({ event }: PositionedEvent): boolean => waitingKeys.has(event.partitionKey);
      if (waitingKeys.size > 0)
        await park(tx, slot, events.filter(isWaiting), 'waits behind a parked event of its key');
      const flowing = waitingKeys.size > 0 ? events.filter((event) => !isWaiting(event)) : events;
      const handle = (batch: readonly PositionedEvent[]): Promise<void> =>
        this.subscription.handle(
          batch.map(({ event }) => event),
          tx,
        );
      if (isolate) {
        failures.push(...(await isolateFailures(tx, flowing, handle)));
        for (const failure of failures) await park(tx, slot, failure.events, describeError(failure.error));
      } else if (flowing.length > 0) {
        const malformed = flowing.find((event) => event.malformed !== undefined);
        if (malformed !== undefined) throw new PermanentError(malformed.malformed ?? '');
        await handle(flowing);
      }
      await advancePositions(tx, [{ slot, expected, next }]);
      this.options.metrics.batchApplied?.(slot);
      return 'done';
    });
    if (outcome === 'done') await this.report(slot, failures);
    return outcome;
  }

  private async report(slot: SlotId, failures: readonly KeyFailure[]): Promise<void> {
    for (const { events, error } of failures) {
      this.options.metrics.eventsParked?.(slot, events.length);
      const first = events[0]?.event;
      this.options.logger.error(
        { err: error, ...slot, partitionKey: first?.partitionKey, eventId: first?.id, events: events.length },
        'a key is parked: its events wait until they are replayed',
      );
    }
    if (failures.length === 0 || this.options.onParked === undefined) return;
    const copies = failures.flatMap(({ events, error }) =>
      events.map(({ event }) => ({ event, group: slot.group, reason: describeError(error) })),
    );
    await this.options.onParked(copies).catch((error: unknown) => {
      this.options.logger.error({ err: error, ...slot }, 'parked events could not be copied to the dead letters');
    });
  }
}
