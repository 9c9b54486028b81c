import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ContextName } from '@capability-router/contracts';
import { startDaemon, untilAnswers } from '../system/daemon.js';
import { endProcess, isHeld, stillRuns, type ProcessIdentity } from '../system/process-identity.js';
import { workspaceRoot } from '../workspace.js';
import type { RecordedService } from './recorded-services.js';
import { urlOf, type ReplicaAddress, type ServiceEnvironment } from './service-environment.js';

/** Twelve processes that start at once share the processors of the machine. */
const readyTimeoutMs = 180_000;
const probeTimeoutMs = 10_000;
const gracefulMs = 30_000;
const forcedMs = 60_000;

/** One process of a service. Its port stays the same over restarts, so that its peers find it again. */
export class Replica {
  private current: ProcessIdentity | undefined;
  private extra: ServiceEnvironment = {};

  constructor(
    readonly name: ContextName,
    /** From 0. */
    readonly index: number,
    readonly address: ReplicaAddress,
    private readonly environment: ServiceEnvironment,
    logDirectory: string,
    private readonly onChange: () => void,
    running?: Pick<RecordedService, 'process' | 'extra'>,
  ) {
    this.current = running?.process;
    this.extra = running?.extra ?? {};
    this.logFile = join(logDirectory, `${name}-${index}.log`);
  }

  readonly logFile: string;

  get url(): string {
    return urlOf(this.address);
  }

  get metricsUrl(): string {
    return `http://127.0.0.1:${this.address.metricsPort}/metrics`;
  }

  get process(): ProcessIdentity | undefined {
    return this.current;
  }

  isRunning(): boolean {
    return this.current !== undefined && stillRuns(this.current);
  }

  /** True where it runs and was started with exactly these variables over the usual ones. */
  runsWith(extra: ServiceEnvironment): boolean {
    return this.isRunning() && isDeepStrictEqual(this.extra, extra);
  }

  get record(): RecordedService {
    return {
      name: this.name,
      index: this.index,
      address: this.address,
      environment: this.environment,
      extra: this.extra,
      ...(this.current === undefined ? {} : { process: this.current }),
    };
  }

  /**
   * Starts it and waits until it is ready, or does nothing when it runs. `extra` wins over the usual variables and holds
   * for this start only.
   */
  async start(extra: ServiceEnvironment = {}): Promise<void> {
    if (this.isRunning()) return;
    const started = await this.launch(extra);
    await untilAnswers(`${this.name} ${this.index}`, started, this.logFile, () => this.isReady(), readyTimeoutMs);
  }

  /** As `start`, for a replica that may come to its fault point before it is ready. It must not run. */
  async launch(extra: ServiceEnvironment = {}): Promise<ProcessIdentity> {
    const main = join(workspaceRoot, 'apps', this.name, 'dist', 'main.js');
    const started = await startDaemon(process.execPath, [main], this.logFile, {
      cwd: workspaceRoot,
      env: { ...process.env, ...this.environment, ...extra },
    });
    this.current = started;
    this.extra = extra;
    this.onChange();
    return started;
  }

  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(probeTimeoutMs) });
    await answer.arrayBuffer();
    return answer.status === 200;
  }

  /** SIGTERM: the replica finishes what it has begun. */
  async stop(): Promise<void> {
    this.goOn();
    await this.end([
      { signal: 'SIGTERM', waitMs: gracefulMs },
      { signal: 'SIGKILL', waitMs: forcedMs },
    ]);
  }

  /** SIGKILL: the replica finishes nothing. */
  async kill(): Promise<void> {
    await this.end([{ signal: 'SIGKILL', waitMs: forcedMs }]);
  }

  /** Waits until SIGSTOP holds it, which somebody else sends, such as a fault point. */
  async held(timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (this.current === undefined || !isHeld(this.current)) {
      if (performance.now() > deadline) throw new Error(`${this.name} ${this.index} is not held after ${timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** SIGCONT: the replica goes on where SIGSTOP met it, as if no time had passed. */
  goOn(): void {
    if (this.current !== undefined && stillRuns(this.current)) process.kill(this.current.pid, 'SIGCONT');
  }

  /** Waits for an end that somebody else brings about, such as a fault point. */
  async ended(timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (this.isRunning()) {
      if (performance.now() > deadline) throw new Error(`${this.name} ${this.index} still runs after ${timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    this.current = undefined;
    this.onChange();
  }

  private async end(signals: Parameters<typeof endProcess>[1]): Promise<void> {
    if (this.current !== undefined) await endProcess(this.current, signals);
    this.current = undefined;
    this.onChange();
  }
}
