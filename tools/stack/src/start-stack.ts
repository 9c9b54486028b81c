import { randomBytes } from 'node:crypto';
import { generateInternalKeys } from '@capability-router/service-kit';
import { createDatabases, databaseAccess, servicesWithDatabase } from './parts/databases.js';
import { kafkaAnswers, startKafka, type KafkaListener } from './parts/kafka.js';
import { migrateAll } from './parts/migrations.js';
import { administrator, postgresAnswers, postgresUrl, startPostgres } from './parts/postgres.js';
import { redisAnswers, redisUrl, startRedis } from './parts/redis.js';
import { createTopics } from './parts/topics.js';
import {
  readState,
  stackDirectory,
  writeState,
  type PartialStackState,
  type PartName,
  type RunningPart,
  type StackSecrets,
  type StackState,
} from './stack-state.js';
import { endProcess, stillRuns } from './system/process-identity.js';

const secretBytes = 24;
const credentialKeyBytes = 32;
const stopWaitMs = 20_000;

export interface StartStackOptions {
  readonly directory?: string;
  readonly log?: (line: string) => void;
  /** False leaves the databases empty, for tests that migrate on their own. */
  readonly migrations?: boolean;
  /** Further listeners of a broker that is started, for clients that do not share the loopback interface. */
  readonly kafkaListeners?: readonly KafkaListener[];
}

/**
 * Brings up PostgreSQL, Redis and Kafka, or what is missing of them, with databases, topics and schemas. Parts that run
 * and answer are left alone. Whatever was started is in the state file even when a later part fails.
 */
export async function startStack(options: StartStackOptions = {}): Promise<StackState> {
  const directory = options.directory ?? stackDirectory();
  const log = options.log ?? (() => undefined);
  const before = readState(directory);
  // A directory of an earlier build gets what it does not have.
  const secrets = { ...generateSecrets(), ...before.secrets };
  const keys = before.keys ?? generateInternalKeys();
  let state: PartialStackState = { ...before, secrets, keys };
  writeState(state);
  const parts: Partial<Record<PartName, RunningPart>> = { ...before.parts };

  const bring = async (
    name: PartName,
    answers: (port: number) => Promise<boolean>,
    start: (wishedPort?: number) => Promise<RunningPart>,
  ): Promise<number> => {
    const known = parts[name];
    if (known !== undefined && stillRuns(known.process)) {
      if (await answers(known.port)) {
        log(`${name} already answers on port ${known.port}`);
        return known.port;
      }
      await endProcess(known.process, [
        { signal: 'SIGTERM', waitMs: stopWaitMs },
        { signal: 'SIGKILL', waitMs: stopWaitMs },
      ]);
    }
    const startedMs = performance.now();
    const part = await start(known?.port);
    parts[name] = part;
    state = { ...state, parts: parts as StackState['parts'] };
    writeState(state);
    log(`${name} answers on port ${part.port} after ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
    return part.port;
  };

  const adminUrl = (port: number): string => postgresUrl(port, administrator, secrets.postgres, 'postgres');
  const [postgresPort, redisPort, kafkaPort] = await allOrFirstError([
    bring(
      'postgres',
      (port) => postgresAnswers(adminUrl(port)),
      (port) => startPostgres(directory, secrets.postgres, port),
    ),
    bring(
      'redis',
      (port) => redisAnswers(port, secrets.redis),
      (port) => startRedis(directory, secrets.redis, port),
    ),
    bring('kafka', kafkaAnswers, (port) =>
      startKafka(directory, { wishedPort: port, listeners: options.kafkaListeners ?? [] }),
    ),
  ]);
  const kafkaBrokers = [`127.0.0.1:${kafkaPort}`];
  await createTopics({ brokers: kafkaBrokers });
  const databases = databaseAccess(postgresPort, secrets.databases);
  await createDatabases(adminUrl(postgresPort), Object.values(databases));
  const complete: StackState = {
    directory,
    parts: parts as StackState['parts'],
    postgresUrl: adminUrl(postgresPort),
    databases,
    redisUrl: redisUrl(redisPort, secrets.redis),
    kafkaBrokers,
    keys,
    secrets,
  };
  if (options.migrations !== false) await migrateAll(databases);
  writeState(complete);
  return complete;
}

/** Waits for all, so that what came up is written down, then reports the first failure. */
async function allOrFirstError(
  tasks: [Promise<number>, Promise<number>, Promise<number>],
): Promise<[number, number, number]> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}

function generateSecrets(): StackSecrets {
  const password = (): string => randomBytes(secretBytes).toString('base64url');
  return {
    postgres: password(),
    redis: password(),
    databases: Object.fromEntries(
      servicesWithDatabase.map((name) => [name, { owner: password(), application: password() }]),
    ) as StackSecrets['databases'],
    resultLinkKey: password() + password(),
    credentialKeys: `k1:${randomBytes(credentialKeyBytes).toString('hex')}`,
  };
}
