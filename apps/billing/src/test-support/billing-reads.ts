import { topicNames, type ApiKeyScope, type EventEnvelope } from '@capability-router/contracts';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import {
  creditsFromMicro,
  ManualClock,
  newAccountId,
  newExecutionId,
  systemClock,
  type AccountId,
  type ExecutionId,
} from '@capability-router/kernel';
import { generateInternalKeys, InternalTokens } from '@capability-router/service-kit';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { loadBillingConfig } from '../config.js';
import { applyAccountEvents } from '../grants/account-events.js';
import { placeHold } from '../holds/place-hold.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { projectUsage } from '../usage-audit/project-usage.js';
import { accountOpened, terminalEvent } from './events.js';
import { openRoutes } from './open-routes.js';
import { createScratchDatabase, inTransaction, PATIENT_MS, type ScratchDatabase } from './scratch-database.js';

/** When the histories of these tests begin: a Wednesday, noon. */
export const START = Date.UTC(2026, 3, 1, 12);
const MINUTE_MS = 60_000;
const MAX_READ_EVENTS = 5_000;

export interface ReadAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The members of the envelope, or of an error. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface PastCall {
  readonly micro: bigint;
  readonly atMs: number;
  readonly success?: boolean;
  /** Over what `terminalEvent` says. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Billing with its routes on a database of its own, and accounts with a history in it. */
export class BillingReads {
  private constructor(
    private readonly database: ScratchDatabase,
    private readonly server: FastifyInstance,
    private readonly callers: Readonly<Record<'gateway' | 'execution', InternalTokens>>,
    readonly clock: ManualClock,
    private readonly close: () => Promise<void>,
  ) {}

  /** @param pageTimeoutMs that a list with page and total may take; long, except where a test is about it */
  static async start(pageTimeoutMs = PATIENT_MS): Promise<BillingReads> {
    const database = await createScratchDatabase();
    const clock = new ManualClock(START);
    const keys = generateInternalKeys();
    const tokensOf = (service: 'billing' | 'gateway' | 'execution') =>
      InternalTokens.create({ service, signingKey: keys.signingKeys[service], jwks: keys.jwks, clock: systemClock });
    const config = loadBillingConfig({
      BILLING_DATABASE_URL: 'postgres://unused/billing',
      PAGE_TIMEOUT_MS: `${pageTimeoutMs}`,
    });
    const { pool } = database;
    const app = await openRoutes({ pool, clock, config, tokens: await tokensOf('billing') });
    const server = app.getHttpAdapter().getInstance();
    const callers = { gateway: await tokensOf('gateway'), execution: await tokensOf('execution') };
    return new BillingReads(database, server, callers, clock, () => app.close());
  }

  get pool(): pg.Pool {
    return this.database.pool;
  }

  /** For what is done behind the back of the service. */
  get owner(): pg.Pool {
    return this.database.owner;
  }

  async stop(): Promise<void> {
    await this.close();
    await this.database.drop();
  }

  /** An account with a welcome bonus of 1,000 credits. */
  async account(atMs = START): Promise<AccountId> {
    const accountId = newAccountId(atMs);
    this.setTime(atMs);
    const opened = accountOpened(accountId, 1_000_000_000n, atMs);
    await inTransaction(this.pool, (tx) => applyAccountEvents(tx, [opened], this.clock));
    return accountId;
  }

  /** Its open hold. */
  async hold(accountId: AccountId, micro: bigint, atMs: number): Promise<ExecutionId> {
    const executionId = newExecutionId(atMs);
    const at = new Date(atMs);
    const soon = new Date(atMs + MINUTE_MS);
    const amount = creditsFromMicro(micro);
    const times = { now: at, expiresAt: soon, inquireAfter: soon };
    await placeHold(this.pool, { accountId, billableId: executionId, amount, ...times });
    return executionId;
  }

  /** Calls that ended, settled and audited. Ids in their order. */
  async calls(accountId: AccountId, past: readonly PastCall[]): Promise<ExecutionId[]> {
    const events: EventEnvelope[] = [];
    for (const { micro, atMs, success = true, data = {} } of past) {
      const executionId = micro === 0n ? newExecutionId(atMs) : await this.hold(accountId, micro, atMs - 1);
      const type = 'ExecutionCompleted';
      const event = terminalEvent({ executionId, accountId, type, success, bill: micro, nowMs: atMs });
      events.push({ ...event, data: { ...event.data, ...data } as EventEnvelope['data'] });
    }
    for (const event of events) {
      this.setTime(Date.parse(event.time));
      await inTransaction(this.pool, (tx) => settleExecutions(tx, [event], this.clock));
    }
    await this.audit([...events, ...(await this.settlements(accountId))]);
    return events.map((event) => event.subject as ExecutionId);
  }

  setTime(ms: number): void {
    this.clock.advanceMs(ms - this.clock.nowMs());
  }

  audit(events: readonly EventEnvelope[]): Promise<void> {
    return inTransaction(this.pool, (tx) => projectUsage(tx, events));
  }

  private async settlements(accountId: AccountId): Promise<EventEnvelope[]> {
    await untilReadable(this.pool);
    const found: EventEnvelope[] = [];
    for (let position = ''; ;) {
      const page = await readAfter(this.pool, position, MAX_READ_EVENTS, [topicNames.usageSettlements]);
      found.push(...page.events.filter((event) => event.partitionKey === accountId));
      if (page.events.length === 0) return found;
      ({ position } = page);
    }
  }

  /** As execution asks. */
  async settlementOf(accountId: AccountId, executionId: string | undefined): Promise<unknown> {
    const response = await this.server.inject({
      method: 'GET',
      url: `/internal/accounts/${accountId}/executions/${String(executionId)}/settlement`,
      headers: { authorization: `Bearer ${await this.callers.execution.serviceToken('billing')}` },
    });
    return response.json();
  }

  /** As the gateway asks, for the account. `path` is what stands behind `/api/v1`. */
  get(accountId: AccountId, path: string): Promise<ReadAnswer> {
    return this.ask(accountId, `/api/v1${path}`, []);
  }

  /** As the gateway asks for an administrator. `path` is what stands behind `/admin/v1`. */
  adminGet(path: string): Promise<ReadAnswer> {
    return this.ask(newAccountId(START), `/admin/v1${path}`, ['admin']);
  }

  private async ask(accountId: AccountId, url: string, scopes: readonly ApiKeyScope[]): Promise<ReadAnswer> {
    const assertion = { accountId, accountKind: 'formal', credentialType: 'api_key', scopes: [...scopes] } as const;
    const response = await this.server.inject({
      method: 'GET',
      url,
      headers: {
        authorization: `Bearer ${await this.callers.gateway.serviceToken('billing')}`,
        'x-account-assertion': await this.callers.gateway.signAssertion(assertion),
      },
    });
    const { statusCode: status, headers, payload: text } = response;
    return {
      status,
      headers,
      text,
      get json() {
        return JSON.parse(text) as ReadAnswer['json'];
      },
      get data() {
        return (JSON.parse(text) as { data: ReadAnswer['data'] }).data;
      },
    };
  }
}
