import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDaemon, untilAnswers } from '../system/daemon.js';
import { freePorts } from '../system/free-ports.js';
import type { RunningPart } from '../stack-state.js';
import { openAdmin } from './kafka-admin.js';
import { findJava, kafkaClassPath } from './kafka-libraries.js';

const startTimeoutMs = 180_000;
const formatTimeoutMs = 120_000;
const heap = ['-Xms256m', '-Xmx512m', '-XX:+UseG1GC', '-XX:+ExitOnOutOfMemoryError'];

export interface KafkaOptions {
  /** Where that port is free. */
  readonly wishedPort?: number | undefined;
  /** Listeners beside the one in the clear, and their settings: a test's. */
  readonly listeners?: readonly KafkaListener[];
  /** Further arguments of the tool that formats the broker's storage, such as users of SCRAM. */
  readonly formatArgs?: readonly string[];
  /** Further options of Java, such as system properties. */
  readonly javaOptions?: readonly string[];
}

export interface KafkaListener {
  readonly name: string;
  readonly port: number;
  /** `host:port` that clients are told, who come by another address than the loopback's; that one where absent. */
  readonly advertised?: string;
  readonly protocol: 'PLAINTEXT' | 'SSL' | 'SASL_SSL' | 'SASL_PLAINTEXT';
  /** Without `listener.name.<name>.` before each. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts a single broker that is its own KRaft controller, with its log in `<directory>/kafka`. */
export async function startKafka(
  directory: string,
  { wishedPort, listeners = [], formatArgs = [], javaOptions = [] }: KafkaOptions = {},
): Promise<RunningPart> {
  const java = findJava();
  const classPath = kafkaClassPath(directory);
  const folder = join(directory, 'kafka');
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const [port, controllerPort] = (await freePorts(2, wishedPort === undefined ? [] : [wishedPort])) as [number, number];
  const configFile = join(folder, 'server.properties');
  const loggingFile = join(folder, 'log4j2.yaml');
  writeFileSync(configFile, properties(dataFolder, port, controllerPort, listeners), { mode: 0o600 });
  writeFileSync(loggingFile, logging);
  const javaArgs = [...heap, ...javaOptions, `-Dlog4j2.configurationFile=${loggingFile}`, '-cp', classPath];
  if (!existsSync(join(dataFolder, 'meta.properties'))) format(java, javaArgs, [configFile, ...formatArgs]);
  const logFile = join(directory, 'logs', 'kafka.log');
  const process = await startDaemon(java, [...javaArgs, 'kafka.Kafka', configFile], logFile, { cwd: folder });
  await untilAnswers('Kafka', process, logFile, () => kafkaAnswers(port), startTimeoutMs);
  return { process, port };
}

/** A broker answers when it is the controller of its cluster too: only then can topics be made. */
export async function kafkaAnswers(port: number): Promise<boolean> {
  const admin = openAdmin({ brokers: [`127.0.0.1:${port}`] }, 'stack', 0);
  try {
    await admin.connect();
    return (await admin.describeCluster()).controller !== null;
  } catch {
    return false;
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

function format(java: string, javaArgs: readonly string[], configAndMore: readonly string[]): void {
  // Not in base64url: an id that begins with a dash is taken for an option.
  const clusterId = randomBytes(11).toString('hex');
  const args = [...javaArgs, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', ...configAndMore];
  const result = spawnSync(java, args, { encoding: 'utf8', timeout: formatTimeoutMs });
  if (result.status !== 0) throw new Error(`Kafka storage could not be formatted:\n${result.stdout}${result.stderr}`);
}

function properties(
  dataFolder: string,
  port: number,
  controllerPort: number,
  listeners: readonly KafkaListener[],
): string {
  const also = (text: (listener: KafkaListener) => string): string => listeners.map((one) => `,${text(one)}`).join('');
  const addresses = also((one) => `${one.name}://127.0.0.1:${one.port}`);
  const advertised = also((one) => `${one.name}://${one.advertised ?? `127.0.0.1:${one.port}`}`);
  const protocols = also((one) => `${one.name}:${one.protocol}`);
  const settings: Record<string, string | number | boolean> = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}${addresses}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}${advertised}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': `PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT${protocols}`,
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
    ...Object.fromEntries(
      listeners.flatMap((one) =>
        Object.entries(one.settings).map(([name, value]) => [
          `listener.name.${one.name.toLowerCase()}.${name}`,
          value.replaceAll('\n', '\\n'),
        ]),
      ),
    ),
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
