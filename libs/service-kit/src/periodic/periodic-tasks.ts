import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { delay } from '../util/timing.js';
import { type PeriodicMetrics, periodicMetrics } from './periodic-metrics.js';
import { type PeriodicOptions, periodicMetadata } from './periodic.js';

/** Injection token of `PeriodicContext`. */
export const PERIODIC_CONTEXT = Symbol('periodic');

export interface PeriodicContext {
  readonly service: string;
  readonly logger: Logger;
  readonly metrics: Registry;
}

/** The part of an interval by which a round may come earlier, so that replicas that started together drift apart. */
const JITTER = 0.1;

/** Milliseconds. `random` is from 0 to below 1. */
export const jittered = (intervalMs: number, random: () => number): number => intervalMs * (1 - JITTER * random());

interface Task {
  readonly name: string;
  readonly everyMs: () => number;
  readonly atStart: boolean;
  readonly work: () => Promise<unknown>;
}

/** Runs every `@Periodic` method of the application between `start` and `stop`. */
@Injectable()
export class PeriodicTasks {
  readonly #stopping = new AbortController();
  readonly #metrics: PeriodicMetrics;
  #running: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(PERIODIC_CONTEXT) private readonly context: PeriodicContext,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {
    this.#metrics = periodicMetrics(context.metrics, context.service);
  }

  /** Throws where two tasks have one name. */
  start(): void {
    const tasks = this.#findTasks();
    const twice = tasks.find(({ name }, index) => tasks.findIndex((other) => other.name === name) !== index);
    if (twice !== undefined) throw new Error(`two periodic tasks are named "${twice.name}"`);
    this.#running = Promise.all(tasks.map((task) => this.#repeat(task)));
  }

  /** Resolves when the rounds in hand have ended; none begins afterwards. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Closing the application stops them too. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  #findTasks(): Task[] {
    return this.discovery.getProviders().flatMap((wrapper) => {
      const instance: unknown = wrapper.instance;
      if (!wrapper.isDependencyTreeStatic() || typeof instance !== 'object' || instance === null) return [];
      const prototype: unknown = Object.getPrototypeOf(instance);
      if (typeof prototype !== 'object' || prototype === null) return [];
      return this.scanner.getAllMethodNames(prototype).flatMap((key) => {
        const work = (prototype as Record<string, unknown>)[key];
        if (typeof work !== 'function') return [];
        const options = Reflect.getMetadata(periodicMetadata.KEY, work) as PeriodicOptions<unknown> | undefined;
        return options === undefined ? [] : [taskOf(instance, work as () => Promise<unknown>, options)];
      });
    });
  }

  async #repeat(task: Task): Promise<void> {
    const { signal } = this.#stopping;
    if (!task.atStart) await this.#pause(task);
    while (!signal.aborted) {
      await this.#round(task);
      await this.#pause(task);
    }
  }

  #pause(task: Task): Promise<void> {
    return delay(jittered(task.everyMs(), Math.random), this.#stopping.signal);
  }

  async #round({ name, work }: Task): Promise<void> {
    const startedAt = performance.now();
    try {
      await work();
      this.#metrics.ended(name, 'done', performance.now() - startedAt);
    } catch (err) {
      this.#metrics.ended(name, 'failed', performance.now() - startedAt);
      this.context.logger.warn({ err, task: name }, 'a periodic task failed; it will run again');
    }
  }
}

function taskOf(instance: object, work: () => Promise<unknown>, options: PeriodicOptions<unknown>): Task {
  const { name, everyMs, atStart = false } = options;
  return {
    name,
    everyMs: typeof everyMs === 'number' ? () => everyMs : () => everyMs(instance),
    atStart,
    work: () => work.call(instance),
  };
}
