import { topicNames } from '@capability-router/contracts';
import type { AccountAssertion, ContextName } from '@capability-router/contracts';
import { EmbeddedEventBus } from '@capability-router/event-bus';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import type { StoredEvent } from '@capability-router/event-store';
import { newAccountId, systemClock } from '@capability-router/kernel';
import { createLogger, createMetrics, generateInternalKeys, InternalTokens } from '@capability-router/service-kit';
import type { RunningService, ServiceClient, ServiceClients } from '@capability-router/service-kit';
import type { CatalogueSource } from '../catalogue/domain/catalogue-source.js';
import { createRegistryService, loadRegistryConfig } from '../index.js';
import { sampleSource } from './sample-catalogue.js';
import { createScratchDatabase } from './scratch-database.js';
import type { ScratchDatabase } from './scratch-database.js';

export interface Answer {
  readonly status: number;
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

/** The service as it is deployed, beside a billing that knows 995.5 credits, or is down. */
export class RunningRegistry {
  billingIsUp = true;

  private constructor(
    readonly service: RunningService,
    readonly database: ScratchDatabase,
    private readonly bus: EmbeddedEventBus,
    private readonly tokensOf: (name: ContextName) => Promise<InternalTokens>,
  ) {}

  static async start(source: CatalogueSource = sampleSource()): Promise<RunningRegistry> {
    const database = await createScratchDatabase();
    const keys = generateInternalKeys();
    const tokensOf = (service: ContextName): Promise<InternalTokens> =>
      InternalTokens.create({ service, signingKey: keys.signingKeys[service], jwks: keys.jwks, clock: systemClock });
    const billing: ServiceClient = {
      request: async () => {
        if (!running.billingIsUp) throw new Error('down');
        return { status: 200, headers: {}, body: Buffer.from('{"availableMicroCredits":"995500000"}') };
      },
    };
    const bus = new EmbeddedEventBus({ pollIntervalMs: 20 });
    const service = await createRegistryService(
      loadRegistryConfig({ REGISTRY_DATABASE_URL: database.url, REGISTRY_REMAINING_CREDITS_BUDGET_MS: '1000' }),
      {
        name: 'registry',
        clock: systemClock,
        logger: createLogger('registry', 'silent'),
        bus,
        tokens: await tokensOf('registry'),
        clients: { billing } as ServiceClients,
        metrics: createMetrics(),
        publicUrl: 'http://127.0.0.1',
      },
      source,
    );
    const running = new RunningRegistry(service, database, bus, tokensOf);
    await service.start();
    await bus.start();
    return running;
  }

  async post({ url, body, as = 'gateway', account, headers = {} }: Call): Promise<Answer> {
    const tokens = await this.tokensOf(as);
    const assertion = account === undefined ? {} : { 'x-account-assertion': await tokens.signAssertion(account) };
    const response = await this.service.fastify.inject({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await tokens.serviceToken('registry')}`,
        ...assertion,
        ...headers,
      },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
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

export const newAccount = (): AccountAssertion => ({
  accountId: newAccountId(Date.now()),
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: [],
});
