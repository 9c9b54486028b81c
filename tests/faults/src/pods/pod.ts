import type { ChildProcess } from 'node:child_process';
import { at } from '@capability-router/tools-stack';
import { pause } from '../load.js';
import type { Cluster } from './cluster.js';
import { probeOf, watch } from './probe.js';

const KUBERNETES_GRACE_SECONDS = 30;

/** A pod of a Deployment, whose probes are asked as its manifest says. What should not happen to it is in `broken`. */
export class Pod {
  readonly address: string;
  readonly broken: string[] = [];
  /** Milliseconds on a monotonic clock; undefined where its Service does not lead to it. */
  readySinceMs: number | undefined;
  private readonly child: ChildProcess;
  private readonly probing = new AbortController();
  private readonly ended: Promise<void>;
  private hasEnded = false;
  private leaving = false;

  /** `changed` is called when it becomes ready, or is no longer. */
  constructor(
    readonly name: string,
    private readonly pod: unknown,
    private readonly cluster: Cluster,
    private readonly changed: () => void,
  ) {
    this.address = cluster.nextAddress();
    this.child = cluster.run(name, this.address, pod);
    this.ended = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => {
        this.hasEnded = true;
        if (!this.leaving) this.breaks(`ended by itself (${code ?? signal})`);
        else if (code !== 0 && signal !== 'SIGKILL') this.breaks(`ended with ${code ?? signal} when it was to stop`);
        this.stopProbing();
        resolve();
      });
    });
    void this.probe();
  }

  get isReady(): boolean {
    return this.readySinceMs !== undefined;
  }

  /** Throws where it will not be ready any more. */
  expectAlive(): void {
    if (this.hasEnded) throw new Error(this.broken.join('\n'));
  }

  /** Is deleted: leaves its Services, and is told to stop, at the same time. Resolves when it has ended. */
  async delete(): Promise<void> {
    this.leaving = true;
    this.stopProbing();
    const preStop = at(this.pod, 'spec.containers.0.lifecycle.preStop');
    const sleepSeconds = Number(at(preStop, 'sleep.seconds') ?? 0);
    if (preStop !== undefined && sleepSeconds === 0) throw new Error('preStop is something else than a sleep');
    const graceSeconds = Number(at(this.pod, 'spec.terminationGracePeriodSeconds') ?? KUBERNETES_GRACE_SECONDS);
    const kill = setTimeout(() => {
      this.breaks(`did not end within ${graceSeconds} s`);
      this.child.kill('SIGKILL');
    }, graceSeconds * 1_000);
    await pause(sleepSeconds * 1_000);
    this.child.kill('SIGTERM');
    await this.ended;
    clearTimeout(kill);
  }

  private async probe(): Promise<void> {
    const container = at(this.pod, 'spec.containers.0');
    const started = new AbortController();
    const { signal } = this.probing;
    signal.addEventListener('abort', () => started.abort());
    await watch(this.address, probeOf(container, 'startupProbe'), started.signal, (succeeds) => {
      if (succeeds) started.abort();
      else this.isKilled('startupProbe');
    });
    await Promise.all([
      watch(this.address, probeOf(container, 'livenessProbe'), signal, (succeeds) => {
        if (!succeeds) this.isKilled('livenessProbe');
      }),
      watch(this.address, probeOf(container, 'readinessProbe'), signal, (succeeds) => this.setReady(succeeds)),
    ]);
  }

  /** A cluster would start it anew. */
  private isKilled(probe: string): void {
    this.breaks(`its ${probe} failed`);
    this.leaving = true;
    this.stopProbing();
    this.child.kill('SIGKILL');
  }

  private stopProbing(): void {
    this.probing.abort();
    this.setReady(false);
  }

  private setReady(ready: boolean): void {
    if (this.isReady === ready) return;
    this.readySinceMs = ready ? performance.now() : undefined;
    this.changed();
  }

  private breaks(what: string): void {
    this.broken.push(`${this.name} ${what}:\n${this.cluster.logOf(this.name)}`);
  }
}
