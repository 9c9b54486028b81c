import type { ContextName } from '@capability-router/contracts';
import { giveBackMemory, systemClock } from '@capability-router/kernel';
import type { JWK } from 'jose';
import { commonEnvSpec, envPrefixOf, peerEnvSpec, type CommonConfig } from '../config/common-env.js';
import { ConfigError, loadEnv, type EnvSpec } from '../config/load-env.js';
import { kafkaConnectionOf } from '../config/kafka-env.js';
import { loadTogether } from '../config/load-together.js';
import { nearMisses, tellNearMiss } from '../config/near-misses.js';
import { migrate, roleOf } from '../database/migrate.js';
import type { MigrationClass } from '../database/migration-class.js';
import { wrongDatabaseUrl } from '../database/until-connected.js';
import { addressObserver } from '../observability/address-observer.js';
import { createLogger } from '../observability/logger.js';
import { busMetrics } from '../observability/bus-metrics.js';
import { createMetrics, listenMetrics } from '../observability/metrics.js';
import { startTracing } from '../observability/tracing/start-tracing.js';
import { tracedBatches } from '../observability/tracing/trace-batches.js';
import { tracedClients } from '../observability/tracing/trace-clients.js';
import { InternalTokens } from '../tokens/internal-tokens.js';
import { loadFaults, withFaults } from './faults.js';
import { lowerHelperThreads } from './helper-threads.js';
import { openOnceReady } from './readiness.js';
import { refuseWrongBrokers } from './refuse-wrong-brokers.js';
import { installShutdown } from './shutdown.js';
import type { RunningService, ServiceRuntime } from './service-runtime.js';

/** Everything that is particular to one service. */
export interface ServiceDefinition<C> {
  readonly name: ContextName;
  /** The variables of its own, which `loadConfig` reads. */
  readonly variables: EnvSpec;
  /** Throws `ConfigError`. */
  loadConfig(env: NodeJS.ProcessEnv): C;
  create(config: C, runtime: ServiceRuntime): Promise<RunningService>;
  /** Absent for a service without a database. */
  readonly migrations?: readonly MigrationClass[];
  readonly appendOnlyTables?: readonly string[];
}

/**
 * The whole of a `main.ts`. Without an argument it runs the service until SIGTERM or SIGINT; with `migrate` it brings
 * the service's database up to this build and exits. A bad environment ends the process with code 1 and a message
 * that names the variables.
 */
export async function runService<C>(
  definition: ServiceDefinition<C>,
  env: NodeJS.ProcessEnv = process.env,
  command: string | undefined = process.argv[2],
): Promise<void> {
  try {
    if (command === 'migrate') await runMigrations(definition, env);
    else if (command === undefined) await serve(definition, env);
    else throw new ConfigError({ [command]: 'is not a command; use "migrate" or nothing' });
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${definition.name}: ${error.message}\n`);
    else createLogger(definition.name, 'info').fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}

async function runMigrations<C>(definition: ServiceDefinition<C>, env: NodeJS.ProcessEnv): Promise<void> {
  const { migrations, appendOnlyTables = [] } = definition;
  if (migrations === undefined) return;
  const prefix = envPrefixOf(definition.name);
  const ownerUrl = env[`${prefix}_DATABASE_OWNER_URL`] ?? '';
  const url = env[`${prefix}_DATABASE_URL`] ?? '';
  if (!URL.canParse(ownerUrl)) throw new ConfigError({ [`${prefix}_DATABASE_OWNER_URL`]: 'is missing or not a URL' });
  if (!URL.canParse(url)) throw new ConfigError({ [`${prefix}_DATABASE_URL`]: 'is missing or not a URL' });
  const logger = createLogger(definition.name, 'info');
  try {
    await migrate({ ownerUrl, applicationRole: roleOf(url), migrations, appendOnlyTables, logger });
  } catch (error) {
    const wrong = wrongDatabaseUrl(error);
    throw wrong === undefined ? error : new ConfigError({ [`${prefix}_DATABASE_OWNER_URL`]: wrong });
  }
  logger.info('the database is up to date');
}

async function serve<C>(definition: ServiceDefinition<C>, env: NodeJS.ProcessEnv): Promise<void> {
  const { name } = definition;
  const { kafka, peers, config } = loadTogether({
    kafka: () => {
      const values = loadEnv(commonEnvSpec, env);
      return { values, connection: kafkaConnectionOf(values) };
    },
    peers: (): Readonly<Record<string, string[] | undefined>> => loadEnv(peerEnvSpec, env),
    config: () => definition.loadConfig(env),
  });
  const common = kafka.values;
  const logger = createLogger(name, common.LOG_LEVEL);
  const known = Object.keys({ ...commonEnvSpec, ...peerEnvSpec, ...definition.variables });
  for (const miss of nearMisses(env, known)) logger.warn(tellNearMiss(miss));
  const metrics = createMetrics();
  const tracing = await startTracing(name, common);
  const tokens = await loadTokens(name, common);
  const urlsOf = (peer: ContextName): string[] | undefined => peers[`${envPrefixOf(peer)}_URL`];
  // Standalone imports this file, and needs neither a client of Kafka nor HTTP clients of peers.
  const { createHttpClients } = await import('../clients/create-clients.js');
  const { createKafkaEventBus } = await import('@capability-router/event-bus/kafka');
  const peerClients = createHttpClients(urlsOf, tokens, addressObserver(metrics, logger));
  await refuseWrongBrokers(name, kafka.connection, common, logger);
  const counted = busMetrics(metrics);
  const bus = createKafkaEventBus({
    ...kafka.connection,
    clientId: name,
    logger,
    metrics: withFaults(tracing === undefined ? counted : tracedBatches(counted, () => tracing), loadFaults(env)),
    sessionTimeoutMs: common.KAFKA_SESSION_TIMEOUT_MS,
    relayLeaseMs: common.RELAY_LEASE_MS,
  });
  const service = await definition.create(config, {
    name,
    clock: systemClock,
    logger,
    bus,
    tokens,
    clients: tracing === undefined ? peerClients.clients : tracedClients(peerClients.clients),
    metrics,
    publicUrl: common.PUBLIC_URL,
    tracing,
  });
  const metricsListener = await listenMetrics(metrics, common.HOST, common.METRICS_PORT);
  installShutdown({
    service,
    bus,
    logger,
    drainMs: common.SHUTDOWN_DRAIN_MS,
    timeoutMs: common.SHUTDOWN_TIMEOUT_MS,
    afterwards: async () => {
      await peerClients.close();
      await metricsListener.close();
      // Spans are never the reason why a stop fails.
      await tracing?.stop().catch((err: unknown) => logger.warn({ err }, 'the last spans were not sent'));
    },
  });
  // Listening first lets probes see a service that waits for its broker as alive but not ready; others are refused.
  service.fastify.availability.current = 'not_ready';
  const address = await service.fastify.listen({ host: common.HOST, port: common.PORT });
  await service.start();
  await bus.start();
  // A start takes more than a service that runs.
  giveBackMemory();
  lowerHelperThreads();
  openOnceReady(service);
  logger.info({ address, metricsPort: common.METRICS_PORT }, 'started');
}

async function loadTokens(service: ContextName, common: CommonConfig): Promise<InternalTokens> {
  try {
    return await InternalTokens.create({
      service,
      signingKey: common.INTERNAL_SIGNING_KEY,
      jwks: common.INTERNAL_JWKS as { keys?: JWK[] } as { keys: JWK[] },
      clock: systemClock,
    });
  } catch (error) {
    throw new ConfigError({
      'INTERNAL_SIGNING_KEY, INTERNAL_JWKS': error instanceof Error ? error.message : 'are not usable',
    });
  }
}
