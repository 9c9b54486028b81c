import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findJava, freePorts, kafkaConnectLibraries } from '@capability-router/tools-stack';
import { pause } from '../load.js';

const START_TIMEOUT_MS = 180_000;
const POLL_MS = 250;
const QUOTED_LINES = 40;
/** Better code does not pay for its making in a few minutes, and instants must not depend on where a worker stands. */
const JAVA_OPTIONS = ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-Duser.timezone=Asia/Kolkata'];

const LOGGING = `
status = warn
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %p %c{1} %m%n
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
`;

/**
 * One broker keeps what a worker stores in Kafka, a worker that was killed counts as dead soon, and positions are stored so rarely that it
 * has to read again what it wrote.
 */
const SETTINGS = {
  'group.id': 'finance-connect',
  'config.storage.topic': 'finance-connect-configs',
  'offset.storage.topic': 'finance-connect-offsets',
  'status.storage.topic': 'finance-connect-status',
  'config.storage.replication.factor': 1,
  'offset.storage.replication.factor': 1,
  'status.storage.replication.factor': 1,
  'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
  'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
  'session.timeout.ms': 6_000,
  'heartbeat.interval.ms': 2_000,
  'consumer.session.timeout.ms': 6_000,
  'consumer.heartbeat.interval.ms': 2_000,
  'offset.flush.interval.ms': 600_000,
};

interface ConnectorStatus {
  readonly name: string;
  readonly tasks: readonly { readonly id: number; readonly state: string; readonly trace?: string }[];
}

export interface WorkerOptions {
  readonly brokers: readonly string[];
  /** Lines of its configuration; the folder of plugins is replaced by where they are on this machine. */
  readonly settings: string;
  /** Beside the variables of this process. */
  readonly env: Readonly<Record<string, string>>;
}

/** A worker of Kafka Connect in distributed mode: connectors and positions are in Kafka, so that a killed one goes on when it starts again. */
export class ConnectWorker {
  private worker: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
    /** Its REST interface. */
    readonly origin: string,
  ) {}

  /** Not started yet. */
  static async prepare({ brokers, settings, env }: WorkerOptions): Promise<ConnectWorker> {
    const folder = await mkdtemp(join(tmpdir(), 'kafka-connect-'));
    const [port] = await freePorts(1);
    const origin = `http://127.0.0.1:${port}`;
    const own = { ...SETTINGS, 'bootstrap.servers': brokers.join(','), listeners: origin };
    const lines = Object.entries(own).map(([name, value]) => `${name}=${value}\n`);
    const { pluginPath } = kafkaConnectLibraries();
    const told = settings.replace(/^plugin\.path=.*$/m, `plugin.path=${pluginPath}`);
    await writeFile(join(folder, 'worker.properties'), `${lines.join('')}${told}`);
    await writeFile(join(folder, 'log4j2.properties'), LOGGING);
    return new ConnectWorker(folder, env, origin);
  }

  /** Resolves when it answers, with the connectors that it had. */
  async start(): Promise<void> {
    const { classPath } = kafkaConnectLibraries();
    const logging = `-Dlog4j2.configurationFile=${join(this.folder, 'log4j2.properties')}`;
    const program = ['org.apache.kafka.connect.cli.ConnectDistributed', join(this.folder, 'worker.properties')];
    const log = openSync(this.logFile, 'a');
    this.worker = spawn(findJava(), [...JAVA_OPTIONS, logging, '-cp', classPath, ...program], {
      env: { ...process.env, ...this.env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    await this.untilReady(this.worker);
  }

  async kill(): Promise<void> {
    if (this.worker === undefined || this.worker.exitCode !== null || this.worker.signalCode !== null) return;
    const ended = once(this.worker, 'exit');
    this.worker.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Connectors and tasks that failed, with the first lines of why. */
  async failed(): Promise<string[]> {
    const answer = await fetch(`${this.origin}/connectors?expand=status`);
    if (!answer.ok) return [];
    const connectors = (await answer.json()) as Readonly<Record<string, { readonly status: ConnectorStatus }>>;
    return Object.values(connectors).flatMap(({ status }) =>
      status.tasks
        .filter(({ state }) => state === 'FAILED')
        .map(({ id, trace }) => `${status.name} ${id}: ${causesOf(trace ?? '')}`),
    );
  }

  private get logFile(): string {
    return join(this.folder, 'worker.log');
  }

  private async untilReady(worker: ChildProcess): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      const ready = await fetch(`${this.origin}/connectors`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (ready) return;
      if (worker.exitCode !== null || performance.now() > deadline) {
        const log = (await readFile(this.logFile, 'utf8')).trimEnd().split('\n').slice(-QUOTED_LINES).join('\n');
        throw new Error(`Kafka Connect did not become ready:\n${log}`);
      }
      await pause(POLL_MS);
    }
  }
}

/** The messages of a stack trace, without its places. */
const causesOf = (trace: string): string =>
  trace
    .split('\n')
    .filter((line) => !/^\s+(at|\.\.\.) /.test(line))
    .join('; ');
