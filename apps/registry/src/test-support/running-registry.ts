import {
  topicNames,
  type AccountAssertion,
  type ContextName,
  type ExceededBudget,
  type PlaceHoldRequest,
  type ForestalledHold,
  type ReleaseHoldsRequest,
} from '@capability-router/contracts';
import { EmbeddedEventBus } from '@capability-router/event-bus';
import { appendToStream, eventTableSource, readAfter, type StoredEvent } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import { newAccountId, systemClock, uuidv7 } from '@capability-router/kernel';
import {
  createLogger,
  createMetrics,
  generateInternalKeys,
  InternalTokens,
  type RunningService,
  type ServiceClient,
  type ServiceClients,
  type ServiceResponse,
} from '@capability-router/service-kit';
import type { CatalogueSource } from '../catalogue/domain/catalogue-source.js';
import { createRegistryService, loadRegistryConfig } from '../index.js';
import { sampleSource } from './sample-catalogue.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The members of an answer in JSON. */
  readonly body: Record<string, unknown>;
}

export interface Call {
  readonly url: string;
  readonly body: unknown;
  readonly as?: ContextName;
  readonly account?: AccountAssertion;
  readonly headers?: Readonly<Record<string, string>>;
}

const MAX_EVENTS = 1_000;
const foreignTopics = [topicNames.executions, topicNames.usageSettlements, topicNames.accounts];

/** The service as it is deployed, beside a stand-in for billing that has 995.5 credits, or is down. */
export class RunningRegistry {
  billingIsUp = true;
  availableMicro = 995_500_000n;
  /** Bodies of the holds that were asked for. */
  readonly holds: PlaceHoldRequest[] = [];
  /** Searches whose holds it was asked to release. */
  readonly released: string[] = [];
  /** Holds that it was asked to release or never to place. */
  readonly forestalled: ForestalledHold[] = [];
  /** Holds are answered with 503. */
  holdsFail = false;
  /** Budgets that no hold fits into. */
  exceeded: readonly ExceededBudget[] = [];

  private constructor(
    readonly service: RunningService,
    readonly database: ScratchDatabase,
    readonly metrics: ReturnType<typeof createMetrics>,
    private readonly bus: EmbeddedEventBus,
    private readonly tokensOf: (name: ContextName) => Promise<InternalTokens>,
  ) {}

  /** `peers`: stand-ins for services beside billing. `route`: gives the URL by which the registry reaches its database. */
  static async start(
    source: CatalogueSource = sampleSource(),
    env: NodeJS.ProcessEnv = {},
    peers: Partial<ServiceClients> = {},
    route: (databaseUrl: string) => Promise<string> = (databaseUrl) => Promise.resolve(databaseUrl),
  ): Promise<RunningRegistry> {
    const database = await createScratchDatabase();
    const keys = generateInternalKeys();
    const tokensOf = (service: ContextName): Promise<InternalTokens> =>
      InternalTokens.create({ service, signingKey: keys.signingKeys[service], jwks: keys.jwks, clock: systemClock });
    const billing: ServiceClient = {
      request: async ({ path, body }) => {
        if (!running.billingIsUp) throw new Error('down');
        if (path === '/internal/holds') return running.placeHold(JSON.parse(String(body)) as PlaceHoldRequest);
        if (path === '/internal/holds:release') {
          const { billableIds, forestalled = [] } = JSON.parse(String(body)) as ReleaseHoldsRequest;
          running.released.push(...billableIds);
          running.forestalled.push(...forestalled);
          return answerOf(200, { released: 1 });
        }
        return answerOf(200, { availableMicroCredits: running.availableMicro.toString() });
      },
    };
    const bus = new EmbeddedEventBus({ pollIntervalMs: 20 });
    // The events of the other services are read from this service's own event table.
    bus.publishFrom(database.pool, 'execution', [eventTableSource(foreignTopics)]);
    const metrics = createMetrics();
    const service = await createRegistryService(
      loadRegistryConfig({
        REGISTRY_DATABASE_URL: await route(database.url),
        VERIFICATION_INTERVAL_HOURS: '0',
        ...env,
      }),
      {
        name: 'registry',
        clock: systemClock,
        logger: createLogger('registry', 'silent'),
        bus,
        tokens: await tokensOf('registry'),
        clients: { billing, ...peers } as ServiceClients,
        metrics,
        publicUrl: 'http://127.0.0.1',
      },
      source,
    );
    const running = new RunningRegistry(service, database, metrics, bus, tokensOf);
    await service.start();
    await bus.start();
    return running;
  }

  private placeHold(hold: PlaceHoldRequest): ServiceResponse {
    this.holds.push(hold);
    if (this.holdsFail) return answerOf(503, {});
    const amount = BigInt(hold.amountMicroCredits);
    const held = this.availableMicro >= amount;
    if (held && this.exceeded.length > 0) {
      const availableMicroCredits = this.availableMicro.toString();
      return answerOf(402, { status: 'budget_exceeded', availableMicroCredits, budgets: this.exceeded });
    }
    if (held) this.availableMicro -= amount;
    const availableMicroCredits = this.availableMicro.toString();
    return answerOf(held ? 200 : 402, { status: held ? 'held' : 'insufficient_credits', availableMicroCredits });
  }

  post(call: Call): Promise<Answer> {
    return this.send('POST', call);
  }

  get(read: Omit<Call, 'body'>): Promise<Answer> {
    return this.send('GET', { ...read, body: undefined });
  }

  put(call: Call): Promise<Answer> {
    return this.send('PUT', call);
  }

  /** The headers of a request of that service for an account. */
  async tokenHeaders(as: ContextName, account: AccountAssertion | undefined): Promise<Record<string, string>> {
    const tokens = await this.tokensOf(as);
    return {
      authorization: `Bearer ${await tokens.serviceToken('registry')}`,
      ...(account === undefined ? {} : { 'x-account-assertion': await tokens.signAssertion(account) }),
    };
  }

  private async send(method: 'GET' | 'POST' | 'PUT', call: Call): Promise<Answer> {
    const { url, body, as = 'gateway', account, headers = {} } = call;
    const response = await this.service.fastify.inject({
      method,
      url,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(await this.tokenHeaders(as, account)),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return {
      status: response.statusCode,
      text: response.payload,
      get body() {
        return response.json<Record<string, unknown>>();
      },
    };
  }

  /** An event of another service. */
  async hear(topic: string, type: string, accountId: string, data: object): Promise<void> {
    await appendToStream(this.database.pool, 'execution', `heard:${uuidv7(Date.now())}`, 0, [
      { type, topic, partitionKey: accountId, data },
    ]);
  }

  /** Usage events of an account, in commit order. */
  async usageEventsOf(account: AccountAssertion): Promise<StoredEvent[]> {
    await untilReadable(this.database.pool);
    const { events } = await readAfter(this.database.pool, '', MAX_EVENTS, [topicNames.searches]);
    return events.filter((event) => event.partitionKey === account.accountId);
  }

  async stop(): Promise<void> {
    await this.bus.stop();
    await this.service.stop();
    await this.database.drop();
  }
}

export const answerOf = (status: number, body: object): ServiceResponse => ({
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});

export const newAccount = (): AccountAssertion => ({
  accountId: newAccountId(Date.now()),
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['call', 'read'],
});
