/**
 * Makes what a deployment needs before its services start: databases and roles (with POSTGRES_ADMIN_URL only), topics, and
 * the schema of every service. Safe to repeat and to run twice at once. In the image: `prepare`.
 */
import {
  databaseEnvSpec,
  envPrefixOf,
  integer,
  kafkaConnectionOf,
  kafkaEnvSpec,
  loadEnv,
  url,
  wantedTopics,
  wrongBrokers,
  type KafkaConfig,
} from '@capability-router/service-kit';
import {
  lookAtBrokers,
  silentLogger,
  type KafkaConnection,
  type WantedTopic,
} from '@capability-router/event-bus/kafka-client';
import { runCommand } from './command-line.js';
import { createDatabases, servicesWithDatabase, type DatabaseUrls } from './parts/databases.js';
import { migrateAll } from './parts/migrations.js';
import { createTopics } from './parts/topics.js';
import type { ServiceWithDatabase } from './stack-state.js';
import { OperatorError } from './system/programs.js';

const replicationFactorMax = 9;

export const prepareEnvSpec = {
  ...kafkaEnvSpec,
  TOPIC_REPLICATION_FACTOR: integer({
    desc: 'Copies of each partition of a topic that is created.',
    min: 1,
    max: replicationFactorMax,
    default: 3,
  }),
  POSTGRES_ADMIN_URL: url(['postgres', 'postgresql'], {
    desc: 'PostgreSQL URL of a role that may create roles and databases. Without it they have to exist.',
    default: undefined,
  }),
};

await runCommand(async () => {
  const env = loadEnv(prepareEnvSpec, process.env);
  const connection = kafkaConnectionOf(env);
  const databases = readDatabaseUrls();
  // A wrong certificate or password is told before anything is made.
  await refuse(connection, env, []);
  if (env.POSTGRES_ADMIN_URL) {
    await createDatabases(env.POSTGRES_ADMIN_URL, Object.values(databases));
    console.log('The databases are there');
  }
  await createTopics(connection, {
    replicationFactor: env.TOPIC_REPLICATION_FACTOR,
    partitions: env.TOPIC_PARTITIONS,
  });
  await refuse(connection, env, wantedTopics(undefined, env));
  console.log('The topics are there');
  await migrateAll(databases);
  console.log('The schemas are up to date');
});

async function refuse(connection: KafkaConnection, env: KafkaConfig, wanted: readonly WantedTopic[]): Promise<void> {
  const look = await lookAtBrokers({ ...connection, clientId: 'prepare', logger: silentLogger }, wanted);
  const wrong = wrongBrokers(look, env);
  if (wrong !== undefined) throw wrong;
  if (look.state === 'away') throw new OperatorError(`KAFKA_BROKERS cannot be reached: ${look.reason}`);
}

function readDatabaseUrls(): Record<ServiceWithDatabase, DatabaseUrls> {
  const entries = servicesWithDatabase.map((service) => {
    const prefix = envPrefixOf(service);
    const values: Record<string, unknown> = loadEnv(databaseEnvSpec(prefix), process.env);
    const ownerUrl = values[`${prefix}_DATABASE_OWNER_URL`];
    const appUrl = values[`${prefix}_DATABASE_URL`];
    if (typeof ownerUrl !== 'string') throw new OperatorError(`${prefix}_DATABASE_OWNER_URL is missing`);
    return [service, { ownerUrl, appUrl: String(appUrl) }];
  });
  return Object.fromEntries(entries) as Record<ServiceWithDatabase, DatabaseUrls>;
}
