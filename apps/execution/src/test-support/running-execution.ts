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
  createHttpClients,
  createLogger,
  createMetrics,
  generateInternalKeys,
  InternalTokens,
  loadEnv,
  type RunningService,
} from '@capability-router/service-kit';
import { createExecutionService } from '../create-execution-service.js';
import { providersConfigOf, providersEnvSpec } from '../providers/providers-config.js';
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
    options?: { query?: string; executionId?: ExecutionId; cacheMode?: string; account?: AccountAssertion },
  ): Promise<Answer>;
  internal(caller: ContextName, path: string, body: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Publishes to the catalogue topic, as the registry would. */
  publish(type: string, toolId: string, data: object): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Execution on a real database, with a stand-in for billing on the loopback and a provider of the test, or its own
 * adapters, set up by `providersEnv`.
 */
export async function startExecution(
  tools: readonly ToolContract[],
  provider?: ProviderAdapter,
  providersEnv: Readonly<Record<string, string>> = {},
): Promise<RunningExecution> {
  const database = await createScratchDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'execution-results-'));
  const billing = await startBillingStandIn(10_000_000n);
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
  const logger = createLogger('execution', process.env['TEST_LOG_LEVEL'] ?? 'silent');
  const metrics = createMetrics();
  const bus = new EmbeddedEventBus({ logger });
  const service = await createExecutionService(
    {
      faults: { reached: () => undefined },
      database: { url: database.url, poolSize: 8 },
      resultStore: { directory, maxTotalBytes: 10_000_000, lifetimeMs: 7_200_000 },
      bodyLimitBytes: 1_048_576,
      holdTimeoutMs: 2_000,
      leaseMs: 15_000,
      interruptIntervalMs: 2_000,
      resultLinkKey: Buffer.from('k'.repeat(32)),
      providers: providersConfigOf(loadEnv(providersEnvSpec, { BUILTIN_MAX_THREADS: '1', ...providersEnv })),
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
  bus.publishFrom(database.pool, 'registry', [eventTableSource([topicNames.catalogue])]);
  await service.start();
  await bus.start();
  const account: AccountAssertion = {
    accountId: newAccountId(systemClock.nowMs()),
    accountKind: 'formal',
    credentialType: 'api_key',
    scopes: [],
  };
  // As the gateway does, one assertion serves many calls.
  const assertion = await gateway.signAssertion(account);
  const inject = async (
    method: 'GET' | 'POST',
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
          'x-account-assertion':
            options.account === undefined ? assertion : await gateway.signAssertion(options.account),
          'x-execution-id': options.executionId ?? newExecutionId(systemClock.nowMs()),
          ...(options.cacheMode === undefined ? {} : { 'x-service-cache-mode': options.cacheMode }),
        },
        body,
      ),
    internal: async (caller, path, body) => inject('POST', path, await bearer(await tokensOf(caller)), body),
    get: async (path) => inject('GET', path, await bearer(gateway)),
    publish: async (type, toolId, data) => {
      await appendToStream(database.pool, 'registry', `tool:${toolId}`, 'any', [
        { type, topic: topicNames.catalogue, partitionKey: toolId, data },
      ]);
      bus.nudge('registry');
    },
    async stop() {
      await bus.stop();
      await service.stop();
      await clients.close();
      await billing.close();
      await database.drop();
      await rm(directory, { recursive: true });
    },
  };
}
