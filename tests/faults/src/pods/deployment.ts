import { at, recordAt, textAt, type Manifest } from '@capability-router/tools-stack';
import { pause } from '../load.js';
import type { Cluster } from './cluster.js';
import { Pod } from './pod.js';

/** Milliseconds; ten processes that start at once share the processors of the machine, and may have to be ready for a while. */
const READY_TIMEOUT_MS = 300_000;
const POLL_MS = 50;

/** The pods of a Deployment, replaced as its strategy says. */
export class Deployment {
  readonly name: string;
  private readonly pods = new Set<Pod>();
  private readonly leaving: Promise<void>[] = [];
  private readonly gone: Pod[] = [];
  private made = 0;
  private installing = true;

  constructor(
    private manifest: Manifest,
    private readonly cluster: Cluster,
  ) {
    this.name = textAt(manifest, 'metadata.name');
  }

  /** Faults of its pods, which should not have happened. */
  get broken(): readonly string[] {
    return [...this.pods, ...this.gone].flatMap(({ broken }) => broken);
  }

  /** Resolves when all pods are ready and everybody knows it. */
  async start(): Promise<void> {
    for (let i = 0; i < this.replicas; i += 1) this.make();
    await this.until(() => this.available() === this.replicas);
    this.installing = false;
  }

  /** Replaces every pod, by one of the new manifest where there is one. Resolves when the new ones are available and the old ones on their way out. */
  async roll(manifest: Manifest = this.manifest): Promise<void> {
    this.manifest = manifest;
    const old = [...this.pods];
    const strategy = at(manifest, 'spec.strategy.rollingUpdate');
    const surge = this.share(at(strategy, 'maxSurge'), Math.ceil);
    const least = this.replicas - this.share(at(strategy, 'maxUnavailable'), Math.floor);
    let replaced = 0;
    await this.until(() => {
      while (replaced < this.replicas && this.pods.size < this.replicas + surge) {
        this.make();
        replaced += 1;
      }
      // Each that goes leaves fewer for the next.
      for (const pod of [...old]) {
        if (this.available(pod) < least) continue;
        old.splice(old.indexOf(pod), 1);
        this.remove(pod);
      }
      return old.length === 0 && replaced === this.replicas && this.available() === this.replicas;
    });
  }

  /** Resolves when all that were told to stop have. */
  async ended(): Promise<void> {
    await Promise.all(this.leaving);
  }

  private get replicas(): number {
    return Number(at(this.manifest, 'spec.replicas') ?? 1);
  }

  /** A number of pods, or a part of them such as `25%`, which is what Kubernetes has where nothing is said. */
  private share(told: unknown, round: (pods: number) => number): number {
    if (typeof told === 'number') return told;
    return round((Number.parseInt(typeof told === 'string' ? told : '25%', 10) / 100) * this.replicas);
  }

  /** How many pods are available, if this one is deleted. */
  private available(without?: Pod): number {
    const waitMs = Number(at(this.manifest, 'spec.minReadySeconds') ?? 0) * 1_000;
    const nowMs = performance.now();
    return [...this.pods].filter((pod) => pod !== without && nowMs - (pod.readySinceMs ?? nowMs + 1) >= waitMs).length;
  }

  private async until(done: () => boolean): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (!done()) {
      for (const pod of this.pods) pod.expectAlive();
      if (performance.now() > deadline) throw new Error(`the pods of ${this.name} are not ready in time`);
      await pause(POLL_MS);
    }
  }

  private make(): void {
    this.made += 1;
    const template = recordAt(this.manifest, 'spec.template');
    const lead = (): void => this.lead(template);
    this.pods.add(new Pod(`${this.name}-${this.made}`, template, this.cluster, lead));
  }

  private remove(pod: Pod): void {
    this.pods.delete(pod);
    this.gone.push(pod);
    this.leaving.push(pod.delete());
  }

  private lead(template: unknown): void {
    const ready = [...this.pods].filter(({ isReady }) => isReady).map(({ address }) => address);
    this.cluster.lead(template, ready, this.installing);
  }
}
