import type { AccountAssertion, ContextName } from '@capability-router/contracts';
import { EmbeddedEventBus } from '@capability-router/event-bus';
import type { ManualClock } from '@capability-router/kernel';
import {
  createHttpClients,
  createLogger,
  createMetrics,
  generateInternalKeys,
  InternalTokens,
  type RunningService,
} from '@capability-router/service-kit';
import { loadIdentityConfig } from '../config.js';
import { createIdentityService } from '../create-identity-service.js';
import { startBillingStandIn, type BillingStandIn } from './billing-stand-in.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Record<string, unknown>;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: unknown;
  /** The calling service; `none` sends no token. */
  readonly as?: ContextName | 'none';
  readonly account?: AccountAssertion;
  readonly clientAddress?: string;
}

/** The service as it is deployed: migrated by an owner, run under a role without rights on the schema. */
export class RunningIdentity {
  private constructor(
    readonly service: RunningService,
    readonly bus: EmbeddedEventBus,
    readonly database: ScratchDatabase,
    readonly billing: BillingStandIn,
    private readonly tokensOf: (name: ContextName) => Promise<InternalTokens>,
    private readonly closeClients: () => Promise<void>,
  ) {}

  static async start(clock: ManualClock, env: NodeJS.ProcessEnv = {}): Promise<RunningIdentity> {
    const database = await createScratchDatabase();
    const keys = generateInternalKeys();
    const tokensOf = (service: ContextName): Promise<InternalTokens> =>
      InternalTokens.create({ service, signingKey: keys.signingKeys[service], jwks: keys.jwks, clock });
    const billing = await startBillingStandIn();
    const tokens = await tokensOf('identity');
    const { clients, close } = createHttpClients((name) => (name === 'billing' ? [billing.url] : undefined), tokens);
    const bus = new EmbeddedEventBus({ pollIntervalMs: 20 });
    const service = await createIdentityService(loadIdentityConfig({ IDENTITY_DATABASE_URL: database.url, ...env }), {
      name: 'identity',
      clock,
      logger: createLogger('identity', 'silent'),
      bus,
      tokens,
      clients,
      metrics: createMetrics(),
      publicUrl: 'http://127.0.0.1',
    });
    await service.start();
    await bus.start();
    return new RunningIdentity(service, bus, database, billing, tokensOf, close);
  }

  async call({ method, url, body, as = 'gateway', account, clientAddress }: Call): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (clientAddress !== undefined) headers['x-client-ip'] = clientAddress;
    if (as !== 'none') {
      const tokens = await this.tokensOf(as);
      headers['authorization'] = `Bearer ${await tokens.serviceToken('identity')}`;
      if (account !== undefined) headers['x-account-assertion'] = await tokens.signAssertion(account);
    }
    const payload = body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) };
    const response = await this.service.fastify.inject({ method, url, headers, ...payload });
    return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, unknown>>() };
  }

  async stop(): Promise<void> {
    await this.bus.stop();
    await this.service.stop();
    await this.closeClients();
    await this.billing.close();
    await this.database.drop();
  }
}
