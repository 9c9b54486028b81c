import { pino } from 'pino';
import type { AccountAssertion, ContextName, EventEnvelope } from '@capability-router/contracts';
import type { EventBus } from '@capability-router/event-bus';
import { formatApiKey, systemClock, type Clock, type JsonObject } from '@capability-router/kernel';
import {
  createMetrics,
  generateInternalKeys,
  InternalTokens,
  type Availability,
  type InternalKeys,
  type Readiness,
  type RunningService,
} from '@capability-router/service-kit';
import { createHttpClients } from '@capability-router/service-kit/http-clients';
import { loadGatewayConfig } from '../config/gateway-env.js';
import { createGatewayService } from '../create-gateway-service.js';
import { Upstream } from './upstream.js';

/** A key in the form of those that are issued; each letter, and each number below 10²⁸, has one of its own. */
export const keyOf = (mark: string | number): string =>
  formatApiKey(typeof mark === 'string' ? mark.repeat(28) : String(mark).padStart(28, '0'));

export const validKey = keyOf('a');
export const adminKey = keyOf('b');
export const unknownKey = keyOf('c');

export const account: AccountAssertion = {
  accountId: 'acc_0123456789abcdef0123456789abcdef',
  accountKind: 'formal',
  credentialType: 'api_key',
  apiKeyId: '018f0000-0000-7000-8000-000000000001',
  scopes: ['call', 'read'],
};

/** A gateway on a free port between one real upstream for all services and an identity that knows two keys. */
export class RunningGateway {
  readonly upstream = new Upstream();
  readonly identity = new Upstream();
  readonly keys: InternalKeys = generateInternalKeys();
  readonly revoked = new Set<string>();
  /** Further keys of the account, with what each may do. */
  readonly scopesOfKey = new Map<string, readonly string[]>([
    [validKey, account.scopes],
    [adminKey, ['admin']],
  ]);
  /** `away`: what is revoked is not heard; `joining`: it will be, later, as while a consumer group begins. */
  broker: 'up' | 'away' | 'joining' = 'up';
  /** From the level on that it was made with; warnings and errors else. */
  readonly logs: JsonObject[] = [];
  readonly metrics = createMetrics();
  url = '';
  constructor(private readonly logLevel: 'info' | 'warn' = 'warn') {}

  private hear: (event: EventEnvelope) => void = () => undefined;
  private service: RunningService | undefined;
  private closeClients: () => Promise<void> = () => Promise.resolve();

  async start(
    env: Record<string, string> = {},
    urls: Partial<Record<ContextName, string[]>> = {},
    clock: Clock = systemClock,
  ) {
    this.answerCredentials();
    const upstreamUrl = await this.upstream.start();
    const identityUrl = await this.identity.start();
    const tokens = await InternalTokens.create({
      service: 'gateway',
      signingKey: this.keys.signingKeys.gateway,
      jwks: this.keys.jwks,
      clock: systemClock,
    });
    const { clients, close } = createHttpClients(
      (name) => urls[name] ?? [name === 'identity' ? identityUrl : upstreamUrl],
      tokens,
    );
    this.closeClients = close;
    this.service = await createGatewayService(loadGatewayConfig(env), {
      name: 'gateway',
      clock,
      logger: pino({ level: this.logLevel }, { write: (line) => this.logs.push(JSON.parse(line) as JsonObject) }),
      bus: this.bus(),
      tokens,
      clients,
      metrics: this.metrics,
      publicUrl: 'http://localhost',
    });
    await this.service.start();
    while (this.broker === 'up' && this.service.ready().detail !== 'ready') {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.url = await this.service.fastify.listen({ host: '127.0.0.1', port: 0 });
  }

  readiness(): Readiness | undefined {
    return this.service?.ready();
  }

  /** As whoever runs the service sets it. */
  set availability(current: Availability) {
    if (this.service === undefined) throw new Error('the gateway is not started');
    this.service.fastify.availability.current = current;
  }

  /** Tokens of a service, to check what the gateway sent it. */
  tokensOf(service: ContextName): Promise<InternalTokens> {
    const signingKey = this.keys.signingKeys[service];
    return InternalTokens.create({ service, signingKey, jwks: this.keys.jwks, clock: systemClock });
  }

  revoke(apiKeyId: string): void {
    this.revoked.add(apiKeyId);
    this.end('ApiKeyRevoked', { apiKeyId });
  }

  /** Every replica hears of something that has ended. */
  end(type: string, subject: JsonObject): void {
    this.hear({
      id: '018f0000-0000-7000-8000-0000000000ff',
      type,
      source: 'identity',
      subject: account.accountId,
      sequence: 3,
      time: '2026-01-01T00:00:00.000Z',
      topic: 'internal.identity.accounts.v1',
      partitionKey: account.accountId,
      data: { accountId: account.accountId, ...subject, revokedAt: '2026-01-01T00:00:00.000Z' },
    });
  }

  /** An empty key sends none. */
  fetch(path: string, init: RequestInit = {}, key: string = validKey): Promise<Response> {
    const headers = new Headers(init.headers);
    if (key !== '') headers.set('authorization', `Bearer ${key}`);
    return fetch(`${this.url}${path}`, { redirect: 'manual', ...init, headers });
  }

  post(path: string, body: unknown, key: string = validKey, headers: Record<string, string> = {}): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.fetch(
      path,
      { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } },
      key,
    );
  }

  async stop(): Promise<void> {
    await this.service?.stop();
    await this.closeClients();
    await this.upstream.stop();
    await this.identity.stop();
  }

  private answerCredentials(): void {
    this.identity.behave = (request, response) => {
      const { credential } = JSON.parse(request.body) as { credential: string };
      const scopes = this.scopesOfKey.get(credential);
      const known = scopes !== undefined && (credential === adminKey || !this.revoked.has(account.apiKeyId ?? ''));
      const answer = known
        ? {
            valid: true,
            assertion: { ...account, scopes },
            apiKeyName: 'test',
            maskedValue: 'sk-aaaa…aaaa',
            endsWith: ['token-1', 'family-1'],
          }
        : { valid: false };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    };
  }

  private bus(): EventBus {
    return {
      subscribeShared: () => ({ stop: () => Promise.resolve() }),
      publishFrom: () => undefined,
      broadcastListener: () => ({
        listen: (_topics, handle) => {
          if (this.broker === 'away') return Promise.reject(new Error('the broker is away'));
          this.hear = handle;
          return Promise.resolve();
        },
        isReading: () => this.broker === 'up',
        close: () => Promise.resolve(),
      }),
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
      health: () => ({ ready: true, detail: 'ready' }),
      nudge: () => undefined,
    };
  }
}
