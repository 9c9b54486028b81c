import type { AccountAssertion, ContextName } from '@capability-router/contracts';
import { EmbeddedEventBus } from '@capability-router/event-bus';
import type { ManualClock } from '@capability-router/kernel';
import {
  createLogger,
  createMetrics,
  generateInternalKeys,
  InternalTokens,
  type InternalKeys,
  type RunningService,
} from '@capability-router/service-kit';
import { createHttpClients } from '@capability-router/service-kit/http-clients';
import { loadIdentityConfig } from '../config.js';
import { createIdentityService } from '../create-identity-service.js';
import { startBillingStandIn, type BillingStandIn } from './billing-stand-in.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The parsed body of a JSON answer; it is empty for anything else. */
  readonly body: Record<string, unknown>;
  readonly text: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: unknown;
  /** Instead of a body in JSON. */
  readonly form?: string | Readonly<Record<string, string>>;
  /** The caller's header `Authorization`. */
  readonly authorization?: string;
  /** The calling service; `none` sends no token. */
  readonly as?: ContextName | 'none';
  readonly account?: AccountAssertion;
  readonly clientAddress?: string;
  /** `content-type` among them takes the place of that of JSON; a body that is a text is sent as it is. */
  readonly headers?: Readonly<Record<string, string>>;
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
    private readonly keys: InternalKeys,
  ) {}

  /** `replica`: another process of the same deployment, under an address of its own. */
  static async start(
    clock: ManualClock,
    env: NodeJS.ProcessEnv = {},
    replica?: { readonly of: RunningIdentity; readonly publicUrl: string },
  ): Promise<RunningIdentity> {
    const database = replica === undefined ? await createScratchDatabase() : { ...replica.of.database, drop: leave };
    const keys = replica?.of.keys ?? generateInternalKeys();
    const made = new Map<ContextName, Promise<InternalTokens>>();
    const tokensOf = (service: ContextName): Promise<InternalTokens> => {
      const settings = { service, signingKey: keys.signingKeys[service], jwks: keys.jwks, clock };
      const tokens = made.get(service) ?? InternalTokens.create(settings);
      made.set(service, tokens);
      return tokens;
    };
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
      publicUrl: replica?.publicUrl ?? 'http://127.0.0.1',
    });
    await service.start();
    await bus.start();
    return new RunningIdentity(service, bus, database, billing, tokensOf, close, keys);
  }

  async call({
    method,
    url,
    body,
    form,
    authorization,
    as = 'gateway',
    account,
    clientAddress,
    headers: more,
  }: Call): Promise<Answer> {
    const headers: Record<string, string> = { ...more };
    if (body !== undefined) headers['content-type'] ??= 'application/json';
    if (form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
    if (authorization !== undefined) headers['x-caller-authorization'] = authorization;
    if (clientAddress !== undefined) headers['x-client-ip'] = clientAddress;
    if (as !== 'none') {
      const tokens = await this.tokensOf(as);
      headers['authorization'] = `Bearer ${await tokens.serviceToken('identity')}`;
      if (account !== undefined) headers['x-account-assertion'] = await tokens.signAssertion(account);
    }
    const text = form === undefined ? textOf(body) : new URLSearchParams(form).toString();
    const payload = text === undefined ? {} : { payload: text };
    const response = await this.service.fastify.inject({ method, url, headers, ...payload });
    const { statusCode: status, headers: answered, body: read } = response;
    const isJson = String(answered['content-type']).startsWith('application/json');
    return { status, headers: answered, body: isJson ? response.json<Record<string, unknown>>() : {}, text: read };
  }

  async stop(): Promise<void> {
    await this.bus.stop();
    await this.service.stop();
    await this.closeClients();
    await this.billing.close();
    await this.database.drop();
  }
}

const textOf = (body: unknown): string | undefined => (typeof body === 'string' ? body : JSON.stringify(body));

const leave = (): Promise<void> => Promise.resolve();
