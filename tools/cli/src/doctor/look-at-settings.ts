import { envPrefixOf } from '@capability-router/service-kit';
import type { KafkaConnection } from '@capability-router/event-bus/kafka';
import {
  commonEnvSpec,
  ConfigError,
  databaseEnvSpec,
  kafkaConnectionOf,
  kafkaEnvSpec,
  loadEnv,
  redisConnectionOf,
  redisEnvSpec,
  type KafkaConfig,
  type RedisConnection,
} from '@capability-router/service-kit/config';
import { services, type Service } from '../deployment/deployment.js';
import { failed, ok, skipped, type Finding } from './finding.js';

export interface Settings {
  readonly findings: readonly Finding[];
  /** Those whose database is named. */
  readonly named: readonly Service[];
  readonly kafka?: { readonly values: KafkaConfig; readonly connection: KafkaConnection };
  readonly redis?: RedisConnection;
}

const { PUBLIC_URL } = commonEnvSpec;
const namesOfRedis = ['REDIS_URL', 'REDIS_SENTINELS', 'REDIS_CLUSTER_NODES'] as const;

/** The settings of the services that lead to a connection, read as the services read them. */
export function lookAtSettings(env: NodeJS.ProcessEnv): Settings {
  const given = new Set(Object.keys(env).filter((name) => (env[name] ?? '') !== ''));
  const specs = { ...kafkaEnvSpec, ...redisEnvSpec, PUBLIC_URL };
  const own = Object.fromEntries(Object.entries(specs).filter(([name]) => given.has(name)));
  const named = services.filter((service) => given.has(`${envPrefixOf(service)}_DATABASE_URL`));
  const databases = named.map((service) => databaseEnvSpec(envPrefixOf(service)));
  const read = problemsOf(() => loadEnv(Object.assign({}, own, ...databases) as typeof specs, env));
  const values = given.has('KAFKA_BROKERS') && Object.keys(kafkaEnvSpec).every((name) => read[name] === undefined);
  const connected = values ? kafkaIn(env) : {};
  const shared = Object.keys(redisEnvSpec).every((name) => read[name] === undefined) ? redisIn(env) : {};
  const problems = { ...read, ...connected.problems, ...shared.problems };
  const left = services.filter((service) => !named.includes(service));
  const usable = (name: string): boolean => given.has(name) && problems[name] === undefined;
  return {
    named: named.filter((service) => usable(`${envPrefixOf(service)}_DATABASE_URL`)),
    ...(connected.kafka === undefined ? {} : { kafka: connected.kafka }),
    ...(shared.redis === undefined ? {} : { redis: shared.redis }),
    findings: [
      ...configurationOf(problems, named.length + Object.keys(own).length),
      ...left.map((service) =>
        skipped(
          `database ${service}`,
          `${envPrefixOf(service)}_DATABASE_URL is not set`,
          `Set it as ${service} has it, or give --data-dir, the DATA_DIR of a running standalone instance.`,
        ),
      ),
      ...(given.has('KAFKA_BROKERS')
        ? []
        : [skipped('kafka', 'KAFKA_BROKERS is not set', 'Set it as the services have it.')]),
      ...(namesOfRedis.some((name) => given.has(name))
        ? []
        : [skipped('redis', 'REDIS_URL is not set', 'Set it as the services have it, if they have it.')]),
    ],
  };
}

/** Takes the settings of Kafka together: some need others. */
function kafkaIn(env: NodeJS.ProcessEnv): Pick<Settings, 'kafka'> & { problems?: Readonly<Record<string, string>> } {
  const values = loadEnv(kafkaEnvSpec, env);
  try {
    return { kafka: { values, connection: kafkaConnectionOf(values) } };
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems };
    throw error;
  }
}

function redisIn(env: NodeJS.ProcessEnv): Pick<Settings, 'redis'> & { problems?: Readonly<Record<string, string>> } {
  let redis: RedisConnection | undefined;
  const problems = problemsOf(() => {
    redis = redisConnectionOf(loadEnv(redisEnvSpec, env));
  });
  return redis === undefined ? { problems } : { redis };
}

function configurationOf(problems: Readonly<Record<string, string>>, read: number): Finding[] {
  const wrong = Object.entries(problems);
  if (wrong.length > 0) {
    return wrong.map(([name, problem]) =>
      failed(
        `configuration ${name}`,
        problem,
        `Correct ${name} where the services are given it (docs/configuration.md).`,
      ),
    );
  }
  return read === 0 ? [] : [ok('configuration', `${read} setting(s) of the services are well-formed`)];
}

function problemsOf(load: () => unknown): Readonly<Record<string, string>> {
  try {
    load();
    return {};
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
