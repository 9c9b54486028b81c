import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDaemon, untilAnswers } from '../system/daemon.js';
import { freePorts } from '../system/free-ports.js';
import type { RunningPart } from '../stack-state.js';
import { logLevel, openAdmin } from './kafka-admin.js';
import { findJava, kafkaClassPath } from './kafka-libraries.js';

const startTimeoutMs = 180_000;
const formatTimeoutMs = 120_000;
const heap = ['-Xms256m', '-Xmx512m', '-XX:+UseG1GC', '-XX:+ExitOnOutOfMemoryError'];

/** Starts a single broker that is its own KRaft controller, with its log in `<directory>/kafka`. */
export async function startKafka(directory: string, wishedPort?: number): Promise<RunningPart> {
  const java = findJava();
  const classPath = kafkaClassPath(directory);
  const folder = join(directory, 'kafka');
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const [port, controllerPort] = (await freePorts(2, wishedPort === undefined ? [] : [wishedPort])) as [number, number];
  const configFile = join(folder, 'server.properties');
  const loggingFile = join(folder, 'log4j2.yaml');
  writeFileSync(configFile, properties(dataFolder, port, controllerPort));
  writeFileSync(loggingFile, logging);
  const javaArgs = [...heap, `-Dlog4j2.configurationFile=${loggingFile}`, '-cp', classPath];
  if (!existsSync(join(dataFolder, 'meta.properties'))) format(java, javaArgs, configFile);
  const logFile = join(directory, 'logs', 'kafka.log');
  const process = await startDaemon(java, [...javaArgs, 'kafka.Kafka', configFile], logFile, { cwd: folder });
  await untilAnswers('Kafka', process, logFile, () => kafkaAnswers(port), startTimeoutMs);
  return { process, port };
}

/** A broker answers when it is the controller of its cluster too: only then can topics be made. */
export async function kafkaAnswers(port: number): Promise<boolean> {
  const admin = openAdmin({
    clientId: 'stack',
    brokers: [`127.0.0.1:${port}`],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 5_000,
    retry: { retries: 0 },
  });
  try {
    await admin.connect();
    return (await admin.describeCluster()).controller !== null;
  } catch {
    return false;
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

function format(java: string, javaArgs: readonly string[], configFile: string): void {
  // Not in base64url: an id that begins with a dash is taken for an option.
  const clusterId = randomBytes(11).toString('hex');
  const args = [...javaArgs, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', configFile];
  const result = spawnSync(java, args, { encoding: 'utf8', timeout: formatTimeoutMs });
  if (result.status !== 0) throw new Error(`Kafka storage could not be formatted:\n${result.stdout}${result.stderr}`);
}

function properties(dataFolder: string, port: number, controllerPort: number): string {
  const settings: Record<string, string | number | boolean> = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': dataFolder,
    // Topics come from the contracts: a misspelt name is an error, not a new topic.
    'auto.create.topics.enable': false,
    'default.replication.factor': 1,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 8,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'share.coordinator.state.topic.num.partitions': 1,
    'group.initial.rebalance.delay.ms': 0,
    // Tests of recovery do not wait for the default of six seconds.
    'group.min.session.timeout.ms': 1_000,
    'num.network.threads': 2,
    'num.io.threads': 4,
    'log.segment.bytes': 67_108_864,
    // Two index files a partition are allocated in full; a small machine has two hundred partitions.
    'log.index.size.max.bytes': 1_048_576,
    'log.cleaner.dedupe.buffer.size': 16_777_216,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

const logging = `Configuration:
  status: warn
  Appenders:
    Console:
      name: console
      PatternLayout:
        pattern: "%d{ISO8601} %p %c{1} %m%n"
  Loggers:
    Root:
      level: warn
      AppenderRef:
        ref: console
`;
