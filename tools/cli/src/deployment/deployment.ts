import { contexts, topicNames, type ContextName } from '@capability-router/contracts';
import { TopicReader, type KafkaConnection } from '@capability-router/event-bus/kafka';
import { envPrefixOf, openPool } from '@capability-router/service-kit';
import { ConfigError, kafkaConnectionOf, kafkaEnvSpec, loadEnv } from '@capability-router/service-kit/config';
import { runningDatabases } from '@capability-router/standalone/embedded-postgres';
import type pg from 'pg';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

/** Milliseconds. A read of a large table takes its time and holds back no writer. */
const STATEMENT_TIMEOUT_MS = 600_000;
const CONNECT_TIMEOUT_MS = 10_000;
const CONNECTIONS = 2;

export type Service = Exclude<ContextName, 'gateway'>;

/** Those with a database. */
export const services = contexts.filter((name): name is Service => name !== 'gateway');

/** Options of the commands that read the databases of a deployment. */
export interface DeploymentOptions {
  readonly dataDir?: string;
  /** Commander's `--no-topic`. */
  readonly topic?: boolean;
}

/** The databases and topics of the services, read beside them. Nothing is ever written: every session is read-only. */
export interface Deployment {
  /** `embedded`: one process, whose bus reads the tables in place; there is no topic apart from them. */
  readonly bus: 'kafka' | 'embedded';
  readonly pools: Readonly<Record<Service, pg.Pool>>;
  /** Absent on the embedded bus, and where the caller asked for no topic. */
  readonly topics: TopicReader | undefined;
  close(): Promise<void>;
}

/** @throws CommandError where nothing is named, or what is named is not there */
export async function openDeployment(
  options: DeploymentOptions,
  services: readonly Service[],
  { env }: Terminal,
): Promise<Deployment> {
  const urls = await databasesOf(options, services, { env });
  const kafka = options.dataDir === undefined ? kafkaIn(env, options) : undefined;
  const pools = Object.fromEntries([...urls].map(([service, url]) => [service, openReadOnly(url)]));
  const topics = kafka === undefined ? undefined : new TopicReader({ ...kafka, clientId: 'caprouter' });
  return {
    bus: options.dataDir === undefined ? 'kafka' : 'embedded',
    pools: pools as Deployment['pools'],
    topics,
    async close() {
      await topics?.close();
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}

/**
 * The URLs of databases, each under the role of its service: of a running standalone instance, else as the environment names
 * them. `some`: those that the environment does not name are left out, as long as there is one.
 *
 * @throws CommandError where one is missing
 */
export async function databasesOf<S extends Service>(
  { dataDir }: Pick<DeploymentOptions, 'dataDir'>,
  services: readonly S[],
  { env }: Pick<Terminal, 'env'>,
  { some = false }: { readonly some?: boolean } = {},
): Promise<ReadonlyMap<S, string>> {
  const named = some ? services.filter((service) => isSet(env, service)) : services;
  const asked = dataDir !== undefined || named.length === 0 ? services : named;
  const urls = dataDir === undefined ? urlsIn(env, asked) : await urlsOf(dataDir);
  return new Map(asked.map((service) => [service, urls(service)]));
}

const nameOf = (service: Service): string => `${envPrefixOf(service)}_DATABASE_URL`;
const isSet = (env: NodeJS.ProcessEnv, service: Service): boolean => (env[nameOf(service)] ?? '') !== '';

async function urlsOf(dataDir: string): Promise<(service: Service) => string> {
  try {
    const databases = await runningDatabases(dataDir);
    return (service) => databases.appUrl(service);
  } catch (error) {
    throw new CommandError(exitCodes.unreachable, error instanceof Error ? error.message : String(error));
  }
}

function urlsIn(env: NodeJS.ProcessEnv, services: readonly Service[]): (service: Service) => string {
  const missing = services.map(nameOf).filter((name) => !/^postgres(ql)?:\/\//.test(env[name] ?? ''));
  if (missing.length > 0) {
    throw new CommandError(exitCodes.usage, `not set, or not a PostgreSQL URL: ${missing.join(', ')}`, [
      'Set them as the services have them (a role that may only read is enough),',
      'or give --data-dir, the DATA_DIR of a running standalone instance (./data by default).',
    ]);
  }
  return (service) => env[nameOf(service)] ?? '';
}

function kafkaIn(env: NodeJS.ProcessEnv, options: DeploymentOptions): KafkaConnection | undefined {
  if (options.topic === false) return undefined;
  if ((env['KAFKA_BROKERS'] ?? '') === '') {
    throw new CommandError(exitCodes.usage, 'KAFKA_BROKERS is not set', [
      `Set it as the services have it, or give --no-topic to leave ${topicNames.ledgerEntries} out.`,
    ]);
  }
  try {
    return kafkaConnectionOf(loadEnv(kafkaEnvSpec, env));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CommandError(exitCodes.usage, error.message, ['Set them as the services have them.']);
  }
}

/** Nothing can be written by it. */
export const openReadOnly = (url: string): pg.Pool => open(url, '-c default_transaction_read_only=on');

/** Its sessions may do what those of the service may. */
export const openAsService = (url: string): pg.Pool => open(url, '');

function open(url: string, options: string): pg.Pool {
  return openPool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'caprouter',
    options: `${options} -c statement_timeout=${STATEMENT_TIMEOUT_MS}`.trim(),
  });
}

/** Turns what a database or a broker said into the end of the command. */
export async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code } = error as { code?: unknown };
    const said = messageOf(error);
    if (code === '42P01' || code === '42703') {
      throw new CommandError(exitCodes.unreachable, `the schema is not that of this build: ${said}`, [
        'Bring the databases up to this build first, or use the caprouter of theirs.',
      ]);
    }
    throw new CommandError(exitCodes.unreachable, `the deployment could not be read: ${said}`);
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
