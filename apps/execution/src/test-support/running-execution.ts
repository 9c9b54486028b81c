import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topicNames, type AccountAssertion, type ContextName, type ToolContract } from '@capability-router/contracts';
import { EmbeddedEventBus } from '@capability-router/event-bus';
import { appendToStream, eventTableSource } from '@capability-router/event-store';
import {
  newAccountId,
  newExecutionId,
  systemClock,
  type ExecutionId,
  type JsonObject,
} from '@capability-router/kernel';
import type { ProviderAdapter } from '@capability-router/provider-kit';
import {
  createLogger,
  createMetrics,
  generateInternalKeys,
  InternalTokens,
  loadEnv,
  type RunningService,
} from '@capability-router/service-kit';
import { redisEnvSpec } from '@capability-router/service-kit/config';
import { createHttpClients } from '@capability-router/service-kit/http-clients';
import { parseSealingKeys } from '../credentials/sealing/sealing-keys.js';
import { createExecutionService } from '../create-execution-service.js';
import { providerCacheConfigOf, providerCacheEnvSpec } from '../provider-cache/provider-cache-config.js';
import { providersConfigOf, providersEnvSpec } from '../providers/providers-config.js';
import type { ResultStoreConfig } from '../result-shaping/store/result-store-config.js';
import { saveToolCopies } from '../tool-copies/tool-copies.sql.js';
import { startBillingStandIn, type BillingStandIn } from './billing-stand-in.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: JsonObject;
}

export interface RunningExecution {
  readonly database: ScratchDatabase;
  readonly billing: BillingStandIn;
  readonly service: RunningService;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly account: AccountAssertion;
  call(
    body: unknown,
    options?: {
      query?: string;
      executionId?: ExecutionId;
      cacheMode?: string;
      account?: AccountAssertion;
      idempotencyKey?: string;
    },
  ): Promise<Answer>;
  /** `executionId`: of what the account asked for, where another service passes that on. */
  internal(
    caller: ContextName,
    path: string,
    body: unknown,
    executionId?: ExecutionId,
    as?: AccountAssertion,
  ): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Bytes, as the gateway would ask for them. */
  download(
    path: string,
    headers?: Readonly<Record<string, string>>,
    method?: 'GET' | 'HEAD',
  ): Promise<{ readonly status: number; readonly headers: Answer['headers']; readonly text: string }>;
  /** As an account, its own where none is given. */
  read(path: string, account?: AccountAssertion): Promise<Answer>;
  /** Any request, as an account, its own where none is given. */
  send(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown, as?: AccountAssertion): Promise<Answer>;
  /** Another instance of the service on the same database, billing and results. */
  readonly replica: (settings?: ExecutionSettings) => Promise<RunningExecution>;
  /** Publishes to the catalogue topic, as the registry would. */
  publish(type: string, toolId: string, data: object): Promise<void>;
  /** Publishes to the accounts topic, as identity would. */
  publishOfAccount(type: string, data: JsonObject & { readonly accountId: string }): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds. */
const ASSERTION_KEPT_MS = 10_000;

interface SharedParts extends Pick<RunningExecution, 'database' | 'billing' | 'account'> {
  readonly directory: string;
}

export interface ExecutionSettings {
  /** As `CREDENTIAL_KEYS`. */
  readonly credentialKeys?: string;
  /** Hears every line of the log. */
  readonly onLog?: (line: string) => void;
  readonly resultStore?: Partial<ResultStoreConfig>;
  /** Milliseconds; as deployments have it where absent. */
  readonly leaseMs?: number;
  /** Percent of the plans; none where absent, as deployments have it. */
  readonly hedgePercent?: number;
}

/**
 * Execution on a real database, with a stand-in for billing on the loopback and a provider of the test, or its own
 * adapters, set up by `providersEnv`.
 */
export async function startExecution(
  tools: readonly ToolContract[],
  provider?: ProviderAdapter,
  providersEnv: Readonly<Record<string, string>> = {},
  shared?: SharedParts,
  settings: ExecutionSettings = {},
): Promise<RunningExecution> {
  const database = shared?.database ?? (await createScratchDatabase());
  const directory = shared?.directory ?? (await mkdtemp(join(tmpdir(), 'execution-results-')));
  const billing = shared?.billing ?? (await startBillingStandIn(10_000_000n));
  const { signingKeys, jwks } = generateInternalKeys();
  const tokensOf = (service: ContextName) =>
    InternalTokens.create({ service, signingKey: signingKeys[service], jwks, clock: systemClock });
  const tokens = await tokensOf('execution');
  const gateway = await tokensOf('gateway');
  const clients = createHttpClients((name) => (name === 'billing' ? [billing.url] : undefined), tokens);
  await saveToolCopies(
    database.pool,
    tools.map((tool) => ({ toolId: tool.toolId, version: tool.version, tool })),
  );
  const { onLog } = settings;
  const logger =
    onLog === undefined
      ? createLogger('execution', process.env['TEST_LOG_LEVEL'] ?? 'silent')
      : createLogger('execution', 'trace', { write: onLog });
  const metrics = createMetrics();
  const bus = new EmbeddedEventBus({ logger, pollIntervalMs: 20 });
  const service = await createExecutionService(
    {
      faults: { reached: () => undefined },
      databaseUrl: database.url,
      databasePoolSize: 8,
      resultStore: {
        place: { kind: 'directory', directory },
        maxTotalBytes: 10_000_000,
        maxAccountBytes: 5_000_000,
        maxResultBytes: 2_000_000,
        lifetimeMs: 7_200_000,
        timeoutMs: 60_000,
        ...settings.resultStore,
      },
      bodyLimitBytes: 1_048_576,
      holdTimeoutMs: 20_000,
      leaseMs: settings.leaseMs ?? 15_000,
      hedgePercent: settings.hedgePercent ?? 0,
      interruptIntervalMs: 2_000,
      resultLinkKey: Buffer.from('k'.repeat(32)),
      credentialKeys: parseSealingKeys(settings.credentialKeys ?? `k1:${'a1'.repeat(32)}`),
      idempotency: { keyLifetimeMs: 86_400_000, maxAnswerBytes: 65_536 },
      providers: providersConfigOf(loadEnv(providersEnvSpec, { BUILTIN_MAX_PROCESSES: '1', ...providersEnv })),
      providerCache: providerCacheConfigOf(loadEnv({ ...providerCacheEnvSpec, ...redisEnvSpec }, {})),
      payloadRetentionDays: 90,
    },
    {
      name: 'execution',
      clock: systemClock,
      logger,
      bus,
      tokens,
      clients: clients.clients,
      metrics,
      publicUrl: 'https://tools.example.com',
    },
    provider,
  );
  bus.publishFrom(database.pool, 'registry', [eventTableSource([topicNames.catalogue, topicNames.accounts])]);
  await service.start();
  await bus.start();
  const account: AccountAssertion = shared?.account ?? {
    accountId: newAccountId(systemClock.nowMs()),
    accountKind: 'formal',
    credentialType: 'api_key',
    scopes: [],
  };
  // As the gateway does, one assertion serves many calls; it lives for less than a minute, and some specs run for longer.
  let kept: { readonly assertion: Promise<string>; readonly renewAtMs: number } | undefined;
  const assertionOf = (caller: AccountAssertion | undefined): Promise<string> => {
    if (caller !== undefined) return gateway.signAssertion(caller);
    const nowMs = systemClock.nowMs();
    if (kept === undefined || nowMs >= kept.renewAtMs) {
      kept = { assertion: gateway.signAssertion(account), renewAtMs: nowMs + ASSERTION_KEPT_MS };
    }
    return kept.assertion;
  };
  const inject = async (
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    url: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> => {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const response = await service.fastify.inject({
      method,
      url,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...payload,
    });
    return { status: response.statusCode, headers: response.headers, body: JSON.parse(response.payload) as JsonObject };
  };
  const bearer = async (caller: InternalTokens) => ({
    authorization: `Bearer ${await caller.serviceToken('execution')}`,
  });
  return {
    database,
    billing,
    service,
    metrics,
    account,
    call: async (body, options = {}) =>
      inject(
        'POST',
        `/api/v1/tools/execute${options.query ?? ''}`,
        {
          ...(await bearer(gateway)),
          'x-account-assertion': await assertionOf(options.account),
          'x-execution-id': options.executionId ?? newExecutionId(systemClock.nowMs()),
          ...(options.cacheMode === undefined ? {} : { 'x-service-cache-mode': options.cacheMode }),
          ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
        },
        body,
      ),
    internal: async (caller, path, body, executionId, as) => {
      const passedOn =
        executionId === undefined
          ? {}
          : { 'x-account-assertion': await assertionOf(as), 'x-execution-id': executionId };
      return inject('POST', path, { ...(await bearer(await tokensOf(caller))), ...passedOn }, body);
    },
    get: async (path) => inject('GET', path, await bearer(gateway)),
    download: async (url, headers = {}, method = 'GET') => {
      const answer = await service.fastify.inject({ method, url, headers: { ...headers, ...(await bearer(gateway)) } });
      return { status: answer.statusCode, headers: answer.headers, text: answer.payload };
    },
    read: async (path, reader = account) =>
      inject('GET', path, { ...(await bearer(gateway)), 'x-account-assertion': await gateway.signAssertion(reader) }),
    send: async (method, path, body, as = account) =>
      inject(
        method,
        path,
        { ...(await bearer(gateway)), 'x-account-assertion': await gateway.signAssertion(as) },
        body,
      ),
    replica: (own = settings) =>
      startExecution([], provider, providersEnv, { database, directory, billing, account }, own),
    publish: async (type, toolId, data) => {
      await appendToStream(database.pool, 'registry', `tool:${toolId}`, 'any', [
        { type, topic: topicNames.catalogue, partitionKey: toolId, data },
      ]);
      bus.nudge('registry');
    },
    publishOfAccount: async (type, data) => {
      await appendToStream(database.pool, 'identity', data.accountId, 'any', [
        { type, topic: topicNames.accounts, partitionKey: data.accountId, data },
      ]);
      bus.nudge('registry');
    },
    async stop() {
      await bus.stop();
      await service.stop();
      await clients.close();
      if (shared !== undefined) return;
      await billing.close();
      await database.drop();
      await rm(directory, { recursive: true });
    },
  };
}
