import { topicNames } from '@capability-router/contracts';
import { classifyError, type BusLogger } from '@capability-router/event-bus';
import {
  AppendConflictError,
  appendToStream,
  GroupCommit,
  GroupCommitFull,
  isOfSqlStateClass,
  readStream,
} from '@capability-router/event-store';
import { AppError, uuidv7 } from '@capability-router/kernel';
import { COMMITTED, LOGGER, mayBeSentAgain, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Discovery } from './discovery.js';
import { eventOf, recordDiscoveries, type DiscoveryToRecord } from './record-discoveries.sql.js';

/** Requests of one statement. */
const MAX_DISCOVERIES_PER_STATEMENT = 200;
/** Statements at the same time: the second one takes what came while the first waits for its commit. */
const MAX_STATEMENTS = 2;
/** Requests that wait to be recorded, at most about 20 kB each. */
const MAX_WAITING = 2_000;
/** Attempts to write what was perhaps written, and milliseconds before the second one; before each later one twice as many. */
const MAX_ATTEMPTS = 4;
const FIRST_DELAY_MS = 100;
/** Searches come by the hundred a second: who reads the catalogue need not look for each of them. */
const discoveryTopics = [topicNames.searches];
/** SQLSTATE classes that speak of the data: data exception, integrity violation, program limit exceeded. */
const dataFaults = ['22', '23', '54'];

/** Writes down each Discover and Inspect request before it is answered. */
@Injectable()
export class DiscoveryRecorder {
  private readonly commits: GroupCommit<DiscoveryToRecord, void>;

  /** `committed` is called when there is something to publish. */
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(LOGGER) private readonly logger: Pick<BusLogger, 'warn'>,
    @Inject(COMMITTED) private readonly committed: (topics: readonly string[]) => void,
  ) {
    this.commits = new GroupCommit({
      write: (items) => this.write(items),
      isFaultOfAnItem,
      maxItems: MAX_DISCOVERIES_PER_STATEMENT,
      maxWrites: MAX_STATEMENTS,
      maxWaiting: MAX_WAITING,
    });
  }

  /**
   * Resolves once the event is durable, its texts beside it. Rejects when the event cannot be written, since a request
   * without an audit row must not be answered: 503 when too many wait, with nothing written, or while the database is away; 500 where a
   * search that is billed may have been written and its answer was lost, since the same search sent again would be charged again.
   * Texts that the database refuses are only missing from its details.
   */
  async record(discovery: Discovery): Promise<void> {
    const item = { discovery, eventId: uuidv7(Date.now()) };
    let perhapsWritten = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.commits.add(item);
        return;
      } catch (error) {
        const isTransient = classifyError(error) === 'transient';
        perhapsWritten ||= isTransient && !mayBeSentAgain(error, 'POST');
        const isLast =
          attempt === MAX_ATTEMPTS || !perhapsWritten || !(isTransient || error instanceof GroupCommitFull);
        if (isLast) throw refusalOf(error, isTransient, perhapsWritten && discovery.charge !== undefined);
      }
      await delay(FIRST_DELAY_MS * 2 ** (attempt - 1));
    }
  }

  private async write(items: readonly DiscoveryToRecord[]): Promise<void[]> {
    try {
      await recordDiscoveries(this.pool, items);
    } catch (error) {
      const [alone] = items;
      if (alone === undefined || items.length > 1 || !isFaultOfAnItem(error)) throw error;
      if (!(error instanceof AppendConflictError)) await this.writeWithoutTexts(alone, error);
      else await this.requireOwnEvent(alone, error);
    }
    this.committed(discoveryTopics);
    return items.map(() => undefined);
  }

  private async writeWithoutTexts(item: DiscoveryToRecord, reason: unknown): Promise<void> {
    const { usageEventId } = item.discovery;
    this.logger.warn({ err: reason, usageEventId }, 'could not keep the texts of a request');
    const appended = await appendToStream(this.pool, 'registry', usageEventId, 0, [eventOf(item)]);
    if (appended.status !== 'appended') await this.requireOwnEvent(item, reason);
  }

  /** A request that is written again, since its answer was lost, meets its own event. Throws where it is somebody else's. */
  private async requireOwnEvent({ discovery, eventId }: DiscoveryToRecord, cause: unknown): Promise<void> {
    const { usageEventId } = discovery;
    const [first] = await readStream(this.pool, usageEventId);
    if (first?.id === eventId) return;
    throw new Error(`usage event ${usageEventId} is already there`, { cause });
  }
}

function refusalOf(cause: unknown, isTransient: boolean, perhapsCharged: boolean): unknown {
  if (perhapsCharged) {
    const message =
      'Whether this search was recorded is not known, and its results are lost. If it was, it is charged.';
    const nextStep = 'Look for it in your usage before you search again.';
    return new AppError('internal_error', message, { nextStep, cause });
  }
  if (isTransient) return new AppError('service_unavailable', undefined, { cause });
  if (!(cause instanceof GroupCommitFull)) return cause;
  return new AppError('service_unavailable', 'Too many requests wait to be recorded. Try again in a moment.', {
    cause,
  });
}

const isFaultOfAnItem = (error: unknown): boolean =>
  error instanceof AppendConflictError || isOfSqlStateClass(error, dataFaults);
