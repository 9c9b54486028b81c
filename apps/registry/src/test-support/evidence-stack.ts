import { topicNames, type AccountAssertion, type ToolManifest, type UsageSettled } from '@capability-router/contracts';
import { createEventApplication, EmbeddedEventBus, silentLogger } from '@capability-router/event-bus';
import { appendToStream, eventTableSource } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import {
  newExecutionId,
  newSearchId,
  toIso,
  usageEventIdOf,
  uuidv7,
  type Clock,
  type ExecutionId,
  type JsonObject,
  type SearchId,
} from '@capability-router/kernel';
import {
  createLogger,
  createMetrics,
  PeriodicTasks,
  PeriodicTasksModule,
  ServicePartsModule,
} from '@capability-router/service-kit';
import { publishCatalogue } from '../catalogue/publish-catalogue.js';
import { DiscoveryRecorder } from '../discovery/discovery-recorder.js';
import { Evidence } from '../evidence/evidence.js';
import type { EvidenceConfig } from '../evidence/evidence-config.js';
import { EvidenceConsumersModule } from '../evidence/evidence-consumers.module.js';
import { EvidenceTask } from '../evidence/evidence.task.js';
import { FeedbackCopy } from '../feedback/feedback-copy.js';
import { indexVocabulary } from '../feedback/index-vocabulary.js';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { StatisticsCopy } from '../statistics/statistics-copy.js';
import { FEEDBACK_VOCABULARY } from '../tokens.js';
import { openIndex } from './open-index.js';
import { sampleSource } from './sample-catalogue.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const DEADLINE_MS = 40_000;
/** Milliseconds. */
const POLL_INTERVAL_MS = 20;
const DAY_MS = 86_400_000;

/** A clock that tests move. */
export class MovableClock implements Clock {
  constructor(private ms: number) {}
  nowMs(): number {
    return this.ms;
  }
  moveDays(days: number): void {
    this.ms += days * DAY_MS;
  }
}

export interface CompletedCall {
  readonly account: AccountAssertion;
  readonly toolId: string;
  readonly executionId?: ExecutionId;
  readonly durationMs?: number;
  readonly data?: JsonObject;
}

class EvidenceStackModule {}
class VocabularyModule {}

/**
 * Evidence, the catalogue and the recorder of searches over a real database and the embedded bus. The events of the
 * other services are appended to the same event table, which the bus reads in their place.
 */
export class EvidenceStack {
  private constructor(
    readonly database: ScratchDatabase,
    readonly clock: MovableClock,
    readonly bus: EmbeddedEventBus,
    readonly evidence: Evidence,
    readonly catalogue: CatalogueCopy,
    private readonly recorder: DiscoveryRecorder,
    private readonly app: Awaited<ReturnType<typeof createEventApplication>>,
  ) {}

  static async start(
    options: {
      readonly tools?: readonly ToolManifest[];
      readonly ownerAccountIds?: readonly string[];
      readonly config?: Partial<EvidenceConfig>;
      /** Given for a replica beside the first, which shares its database. */
      readonly database?: ScratchDatabase;
      readonly clock?: MovableClock;
    } = {},
  ): Promise<EvidenceStack> {
    const database = options.database ?? (await createScratchDatabase());
    const { pool } = database;
    const clock = options.clock ?? new MovableClock(Date.now());
    const bus = new EmbeddedEventBus({ pollIntervalMs: POLL_INTERVAL_MS });
    const foreign = [topicNames.executions, topicNames.usageSettlements, topicNames.accounts];
    bus.publishFrom(pool, 'execution', [eventTableSource(foreign)]);
    const config: { readonly evidence: EvidenceConfig } = {
      evidence: {
        statistics: { windowDays: 30, minSamples: 3, staleAfterDays: 7 },
        feedback: { enabled: true, halfLifeDays: 30 },
        refreshIntervalMs: POLL_INTERVAL_MS,
        ...options.config,
      },
    };
    const statistics = new StatisticsCopy(clock, config);
    const feedback = new FeedbackCopy(config);
    const catalogue = new CatalogueCopy({
      pool,
      openIndex,
      evidence: { feedback: (toolId) => feedback.get(toolId), statistics: (toolId) => statistics.get(toolId) },
    });
    const evidence = new Evidence(pool, clock, config, statistics, feedback, catalogue);
    const lingerMs = POLL_INTERVAL_MS;
    const app = await createEventApplication(
      {
        module: EvidenceStackModule,
        imports: [
          ServicePartsModule.with({ config, clock }),
          EvidenceConsumersModule.with({
            module: VocabularyModule,
            providers: [{ provide: FEEDBACK_VOCABULARY, useValue: indexVocabulary(catalogue) }],
            exports: [FEEDBACK_VOCABULARY],
          }),
          PeriodicTasksModule.with({
            service: 'registry',
            logger: createLogger('registry', 'silent'),
            metrics: createMetrics(),
          }),
        ],
        providers: [{ provide: Evidence, useValue: evidence }, EvidenceTask],
      },
      {
        bus,
        pool,
        settings: { 'registry.statistics': { lingerMs }, 'registry.feedback': { lingerMs } },
        logger: false,
      },
    );
    const source = sampleSource(options.tools === undefined ? {} : { tools: options.tools });
    const { ownerAccountIds } = options;
    const providers = source.providers.map((provider) => ({
      ...provider,
      ...(ownerAccountIds === undefined ? {} : { ownerAccountIds }),
    }));
    await publishCatalogue(pool, clock, { ...source, providers });
    await evidence.load();
    await catalogue.load();
    app.get(PeriodicTasks).start();
    await bus.start();
    const recorder = new DiscoveryRecorder(pool, silentLogger, () => bus.nudge('registry'));
    return new EvidenceStack(database, clock, bus, evidence, catalogue, recorder, app);
  }

  /** A search that returned `toolIds`. */
  async search(account: AccountAssertion, query: string, toolIds: readonly string[]): Promise<SearchId> {
    const searchId = newSearchId(this.clock.nowMs());
    await this.recorder.record({
      kind: 'search',
      usageEventId: usageEventIdOf(searchId),
      account,
      searchId,
      query,
      requestPayload: { query },
      requestedCount: 0,
      toolIds,
      durationMs: 1,
      completedAt: toIso(this.clock.nowMs()),
      requestId: uuidv7(this.clock.nowMs()),
    });
    return searchId;
  }

  /** Billing settles a call of the account. Returns the event's data, with which it can be said again. */
  async settle(
    account: AccountAssertion,
    toolId: string,
    searchId: string,
    over: Partial<UsageSettled> = {},
  ): Promise<UsageSettled> {
    const executionId = newExecutionId(this.clock.nowMs());
    const now = toIso(this.clock.nowMs());
    const data: UsageSettled = {
      sourceRefType: 'execution',
      sourceRefId: executionId,
      executionId,
      usageEventId: usageEventIdOf(executionId),
      accountId: account.accountId,
      accountKind: account.accountKind,
      settlementSeq: 1,
      eventType: 'tool_execute',
      toolId,
      searchId,
      success: true,
      reasonCode: 'result.valid',
      status: 'settled',
      requestedMicroCredits: '500000',
      settledMicroCredits: '500000',
      effectiveAt: now,
      settledAt: now,
      ...over,
    };
    await this.append(topicNames.usageSettlements, 'UsageSettled', account.accountId, data);
    return data;
  }

  /** Execution records the end of a call; a valid result where `data` says nothing else. */
  async complete({ account, toolId, durationMs = 10, data = {}, ...call }: CompletedCall): Promise<ExecutionId> {
    const executionId = call.executionId ?? newExecutionId(this.clock.nowMs());
    const completedAt = toIso(this.clock.nowMs());
    await this.append(topicNames.executions, 'ExecutionCompleted', account.accountId, {
      executionId,
      accountId: account.accountId,
      accountKind: account.accountKind,
      eventType: 'tool_execute',
      credentialType: 'api_key',
      toolId,
      providerId: toolId.slice(0, toolId.indexOf('.')),
      holdMicroCredits: '0',
      success: true,
      outcome: { outcome: 'success', reasonCode: 'result.valid' },
      durationMs,
      startedAt: completedAt,
      completedAt,
      ...data,
    });
    return executionId;
  }

  async append(topic: string, type: string, accountId: string, data: object): Promise<void> {
    await appendToStream(this.database.pool, 'execution', `test:${uuidv7(Date.now())}`, 0, [
      { type, topic, partitionKey: accountId, data, time: toIso(this.clock.nowMs()) },
    ]);
    this.bus.nudge('execution');
  }

  /** Resolves once every event so far is handled and what follows from it is in the copies. */
  async settled(): Promise<void> {
    const marker = { accountId: `acc_${'0'.repeat(32)}` };
    const waited = [topicNames.executions, topicNames.usageSettlements, topicNames.accounts];
    for (const topic of waited) await this.append(topic, 'Marker', marker.accountId, marker);
    const { rows } = await this.database.pool.query<{ topic: string; last: string }>(
      `SELECT topic, max(position)::text AS last FROM events WHERE topic = ANY($1) GROUP BY topic`,
      [waited],
    );
    await this.eventually(async () => {
      const reached = await this.database.pool.query<{ topic: string; position: string }>(
        'SELECT topic, position FROM consumer_positions WHERE topic = ANY($1)',
        [waited],
      );
      return rows.every(({ topic, last }) =>
        reached.rows.some((row) => row.topic === topic && BigInt(row.position.split(':').at(-1) ?? 0) >= BigInt(last)),
      );
    });
    await this.eventually(async () => {
      const { rows: due } = await this.database.pool.query(
        `SELECT FROM statistics_summaries WHERE summarised_on = '-infinity'
          UNION ALL SELECT FROM tool_feedback WHERE computed_on = '-infinity'
          UNION ALL SELECT FROM erased_accounts WHERE due_at <= $1::timestamptz`,
        [toIso(this.clock.nowMs())],
      );
      return due.length === 0;
    });
    await untilReadable(this.database.pool);
    await this.evidence.statistics.refresh(this.database.pool).then((ids) => this.catalogue.reindex(ids));
    await this.evidence.feedback.refresh(this.database.pool).then((ids) => this.catalogue.reindex(ids));
  }

  async eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + DEADLINE_MS;
    while (!(await holds())) {
      if (performance.now() > end) throw new Error('it did not come');
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }

  async stop(): Promise<void> {
    await this.bus.stop();
    await this.app.close();
    await this.catalogue.close();
  }
}
