import { join } from 'node:path';
import { createBillingService, loadBillingConfig } from '@capability-router/billing';
import { createCapabilityRoutingService, loadCapabilityRoutingConfig } from '@capability-router/capability-routing';
import { contexts, type ContextName } from '@capability-router/contracts';
import { EmbeddedEventBus } from '@capability-router/event-bus';
import { createExecutionService, loadExecutionConfig } from '@capability-router/execution';
import { createGatewayService, loadGatewayConfig } from '@capability-router/gateway';
import { awaitGrant, createIdentityService, loadIdentityConfig } from '@capability-router/identity';
import { giveBackMemory, systemClock, ZERO_CREDITS } from '@capability-router/kernel';
import { createRegistryService, loadRegistryConfig } from '@capability-router/registry';
import {
  busMetrics,
  createLogger,
  createMetrics,
  endInTurn,
  InjectServiceClient,
  InternalTokens,
  listenMetrics,
  lowerHelperThreads,
  type Readiness,
  readinessOf,
  type RunningService,
  type ServiceClients,
  type ServiceRuntime,
  startTracing,
  type StreamingServiceClient,
  tracedBatches,
  tracedClients,
  type Tracing,
} from '@capability-router/service-kit';
import type { StandaloneConfig } from './config.js';
import { ensureDemo, type Demo } from './demo.js';
import type { EmbeddedPostgres } from './embedded-postgres/index.js';
import { loadKeys, type StandaloneKeys } from './keys.js';
import { migrateAll } from './migrate-all.js';
import { explained, METRICS_HOST, type ReservedPort, type ReservedPorts } from './reserve-port.js';
import { serviceEnv } from './service-settings.js';
import { untilToolsAreKnown } from './until-tools-are-known.js';

export interface RunningServices {
  readonly demo: Demo;
  readonly metricsUrl: string;
  /** Ends the services, the last that started first; the database is left. */
  stop(): Promise<void>;
}

export interface ServicesOptions {
  readonly processEnv: NodeJS.ProcessEnv;
  readonly config: StandaloneConfig;
  readonly dataDir: string;
  readonly ports: ReservedPorts;
  readonly postgres: EmbeddedPostgres;
  /** Called with the name of each step before it begins; a throw ends the start. */
  onStep(step: string): void;
}

/** In the order in which they start: whoever asks comes after whom it asks. */
const creators = {
  identity: (env: NodeJS.ProcessEnv, runtime: ServiceRuntime) =>
    createIdentityService(loadIdentityConfig(env), runtime),
  billing: (env: NodeJS.ProcessEnv, runtime: ServiceRuntime) => createBillingService(loadBillingConfig(env), runtime),
  registry: (env: NodeJS.ProcessEnv, runtime: ServiceRuntime) =>
    createRegistryService(loadRegistryConfig(env), runtime),
  execution: (env: NodeJS.ProcessEnv, runtime: ServiceRuntime) =>
    createExecutionService(loadExecutionConfig(env), runtime),
  'capability-routing': (env: NodeJS.ProcessEnv, runtime: ServiceRuntime) =>
    createCapabilityRoutingService(loadCapabilityRoutingConfig(env), runtime),
  gateway: (env: NodeJS.ProcessEnv, runtime: ServiceRuntime) => createGatewayService(loadGatewayConfig(env), runtime),
} satisfies Record<ContextName, unknown>;

/** Brings the databases up to this build and starts the six services. What has started is stopped where one fails. */
export async function runServices(options: ServicesOptions): Promise<RunningServices> {
  const { processEnv, config, dataDir, ports, postgres, onStep } = options;
  const localOrigin = `http://${reachable(config.HOST)}:${ports.gateway.port}`;
  const publicUrl = config.PUBLIC_URL ?? localOrigin;
  const running: RunningService[] = [];
  const metrics = createMetrics();
  const tracings = await tracingOf(config);
  const counted = busMetrics(metrics);
  const bus = new EmbeddedEventBus({
    logger: createLogger('standalone', config.LOG_LEVEL),
    // One bus is everybody's; a group begins with the name of its service.
    metrics: tracedBatches(counted, (group) => tracings[contexts.find((name) => group.startsWith(name)) ?? 'gateway']),
  });
  const stop = async (): Promise<void> => {
    // The batch in hand ends while the services' connections are still open.
    await endInTurn([() => bus.stop(), ...[...running].reverse().map((service) => () => service.stop())]);
  };
  try {
    onStep('Updating the databases');
    const keys = loadKeys(dataDir);
    await migrateAll(postgres);
    const env = serviceEnv(processEnv, {
      publicUrl,
      resultStoreDir: join(dataDir, 'results'),
      resultLinkKey: keys.resultLinkKey,
      credentialKeys: keys.credentialKeys,
      identityPepper: keys.identityPepper,
      mailDir: join(dataDir, 'mails'),
      databaseUrlOf: (name) => postgres.appUrl(name),
    });
    const { demo, created } = await ensureDemo({
      dataDir,
      identityDatabaseUrl: postgres.appUrl('identity'),
      demoCredits: loadIdentityConfig(env).demoCredits,
      clock: systemClock,
      origin: localOrigin,
    });
    for (const name of Object.keys(creators) as ContextName[]) {
      onStep(`Starting ${name}${name === 'registry' ? ' and its search index' : ''}`);
      const tokens = await tokensOf(name, keys);
      running.push(
        await creators[name](env, {
          name,
          clock: systemClock,
          // One of its own: a child of another would name both on every line.
          logger: createLogger(name, config.LOG_LEVEL),
          bus,
          tokens,
          clients:
            tracings[name] === undefined ? clientsOf(tokens, running) : tracedClients(clientsOf(tokens, running)),
          metrics,
          publicUrl,
          tracing: tracings[name],
        }),
      );
    }
    onStep('Opening the doors');
    await allOf(running.map((service) => service.start()));
    await bus.start();
    const demoCredits = created ? loadIdentityConfig(env).demoCredits : ZERO_CREDITS;
    const billing = clientsOf(await tokensOf('identity', keys), running).billing;
    // Nobody can reach the demo account before its first call would be paid for.
    if (demo.account_id !== undefined) await awaitGrant(billing, demo.account_id, { amount: demoCredits });
    await untilToolsAreKnown(running);
    // A start takes more than services that run.
    giveBackMemory();
    lowerHelperThreads();
    const gateway = find(running, 'gateway');
    gateway.fastify.readiness.current = () => allReady(running);
    await listening('PORT', config.HOST, ports.gateway, (at) => gateway.fastify.listen(at));
    const metricsListener = await listening('METRICS_PORT', METRICS_HOST, ports.metrics, ({ host, port }) =>
      listenMetrics(metrics, host, port),
    );
    return {
      demo,
      metricsUrl: `http://${METRICS_HOST}:${metricsListener.port}/metrics`,
      async stop() {
        gateway.fastify.readiness.current = () => ({ ready: false, detail: 'stopping' });
        await endInTurn([
          () => gateway.fastify.close(),
          () => metricsListener.close(),
          stop,
          // A collector that is away keeps nobody from stopping.
          () =>
            Promise.all(Object.values(tracings).flatMap((tracing) => (tracing === undefined ? [] : [tracing.stop()]))),
        ]);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The services begin side by side, as in a deployment: one waits for its first runner process while another builds its
 * index. Rejects with the first failure, once none is under way any more: whoever is told may stop them.
 */
async function allOf(starts: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(starts);
  await Promise.all(starts);
}

/** Takes the port over from whoever reserved it; in the moment between them somebody else may take it all the same. */
async function listening<T>(
  setting: 'PORT' | 'METRICS_PORT',
  host: string,
  reserved: ReservedPort,
  listen: (at: { readonly host: string; readonly port: number }) => Promise<T>,
): Promise<T> {
  const { port } = reserved;
  try {
    await reserved.release();
    return await listen({ host, port });
  } catch (error) {
    throw explained(error, { setting, host, port });
  }
}

/** How this machine reaches a listener on `host`, as the host part of a URL. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Each service has spans of its own, as in a deployment; none has any where they go nowhere. */
async function tracingOf(config: StandaloneConfig): Promise<Partial<Record<ContextName, Tracing | undefined>>> {
  const tracings: Partial<Record<ContextName, Tracing | undefined>> = {};
  for (const name of contexts) tracings[name] = await startTracing(name, config);
  return tracings;
}

function tokensOf(service: ContextName, keys: StandaloneKeys): Promise<InternalTokens> {
  return InternalTokens.create({
    service,
    signingKey: keys.internal.signingKeys[service],
    jwks: keys.internal.jwks,
    clock: systemClock,
  });
}

function clientsOf(tokens: InternalTokens, running: readonly RunningService[]): ServiceClients {
  const peer = (name: ContextName) => running.find((service) => service.name === name)?.fastify;
  const entries = contexts.map((name): [ContextName, StreamingServiceClient] => [
    name,
    new InjectServiceClient(name, tokens, () => peer(name)),
  ]);
  return Object.fromEntries(entries) as ServiceClients;
}

function find(services: readonly RunningService[], name: ContextName): RunningService {
  const service = services.find((candidate) => candidate.name === name);
  if (service === undefined) throw new Error(`${name} is not running`);
  return service;
}

/** Names only: `/readyz` stands on the public listener, and a detail can hold words of the database. */
async function allReady(services: readonly RunningService[]): Promise<Readiness> {
  const readiness = await Promise.all(services.map(async (service) => ({ service, ...(await readinessOf(service)) })));
  const waiting = readiness.filter(({ ready }) => !ready).map(({ service: { name } }) => name);
  return { ready: waiting.length === 0, detail: waiting.length === 0 ? 'ready' : `waiting for ${waiting.join(', ')}` };
}
