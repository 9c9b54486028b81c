import { topicNames } from '@capability-router/contracts';
import { classifyError, type BusLogger } from '@capability-router/event-bus';
import {
  AppendConflictError,
  appendToStream,
  GroupCommit,
  GroupCommitFull,
  isOfSqlStateClass,
} from '@capability-router/event-store';
import { AppError } from '@capability-router/kernel';
import { COMMITTED, LOGGER, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { toEvent, type Discovery } from './discovery.js';
import { recordDiscoveries } from './record-discoveries.sql.js';

/** Requests of one statement. */
const MAX_DISCOVERIES_PER_STATEMENT = 200;
/** Statements at the same time: the second one takes what came while the first waits for its commit. */
const MAX_STATEMENTS = 2;
/** Requests that wait to be recorded, at most about 20 kB each. */
const MAX_WAITING = 2_000;
/** Searches come by the hundred a second: who reads the catalogue need not look for each of them. */
const discoveryTopics = [topicNames.searches];
/** SQLSTATE classes that speak of the data: data exception, integrity violation, program limit exceeded. */
const dataFaults = ['22', '23', '54'];

/** Writes down each Discover and Inspect request before it is answered. */
@Injectable()
export class DiscoveryRecorder {
  private readonly commits: GroupCommit<Discovery, void>;

  /** `committed` is called when there is something to publish. */
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(LOGGER) private readonly logger: Pick<BusLogger, 'warn'>,
    @Inject(COMMITTED) private readonly committed: (topics: readonly string[]) => void,
  ) {
    this.commits = new GroupCommit({
      write: (discoveries) => this.write(discoveries),
      isFaultOfAnItem,
      maxItems: MAX_DISCOVERIES_PER_STATEMENT,
      maxWrites: MAX_STATEMENTS,
      maxWaiting: MAX_WAITING,
    });
  }

  /**
   * Resolves once the event is durable, its texts beside it. Rejects when the event cannot be written, since a request
   * without an audit row must not be answered: 503 when too many wait, with nothing written, or while the database is away. Texts that the database refuses are only missing from its details.
   */
  async record(discovery: Discovery): Promise<void> {
    try {
      await this.commits.add(discovery);
    } catch (error) {
      if (classifyError(error) === 'transient') throw new AppError('service_unavailable', undefined, { cause: error });
      if (!(error instanceof GroupCommitFull)) throw error;
      throw new AppError('service_unavailable', 'Too many requests wait to be recorded. Try again in a moment.', {
        cause: error,
      });
    }
  }

  private async write(discoveries: readonly Discovery[]): Promise<void[]> {
    try {
      await recordDiscoveries(this.pool, discoveries);
    } catch (error) {
      const [alone] = discoveries;
      if (alone === undefined || discoveries.length > 1 || !isFaultOfAnItem(error)) throw error;
      if (error instanceof AppendConflictError) throw alreadyThere(alone, error);
      await this.writeWithoutTexts(alone, error);
    }
    this.committed(discoveryTopics);
    return discoveries.map(() => undefined);
  }

  private async writeWithoutTexts(discovery: Discovery, reason: unknown): Promise<void> {
    const { usageEventId } = discovery;
    this.logger.warn({ err: reason, usageEventId }, 'could not keep the texts of a request');
    const appended = await appendToStream(this.pool, 'registry', usageEventId, 0, [toEvent(discovery)]);
    if (appended.status !== 'appended') throw alreadyThere(discovery, reason);
  }
}

const alreadyThere = ({ usageEventId }: Discovery, cause: unknown): Error =>
  new Error(`usage event ${usageEventId} is already there`, { cause });

const isFaultOfAnItem = (error: unknown): boolean =>
  error instanceof AppendConflictError || isOfSqlStateClass(error, dataFaults);
