import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
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

/** Milliseconds; a timer that is set to more fires at once. */
const MAX_INTERVAL_MS = 2_147_483_647;

interface Task {
  readonly name: string;
  readonly everyMs: () => number;
  /** Milliseconds; the last interval that it told. */
  lastMs: number;
  readonly atStart: boolean;
  readonly work: () => Promise<unknown>;
}

interface PeriodicMethod {
  /** `Class.method`. */
  readonly method: string;
  readonly work: () => Promise<unknown>;
  readonly options: PeriodicOptions<unknown>;
}

/** Runs every `@Periodic` method of the application between `start` and `stop`. */
@Injectable()
export class PeriodicTasks {
  private readonly stopping = new AbortController();
  private readonly metrics: PeriodicMetrics;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(PERIODIC_CONTEXT) private readonly context: PeriodicContext,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {
    this.metrics = periodicMetrics(context.metrics, context.service);
  }

  /** Throws where two tasks have one name, an interval is none, or a method would never be called. */
  start(): void {
    const tasks = this.findTasks();
    const twice = tasks.find(({ name }, index) => tasks.findIndex((other) => other.name === name) !== index);
    if (twice !== undefined) throw new Error(`two periodic tasks are named "${twice.name}"`);
    for (const { name } of tasks) this.metrics.started(name);
    // Each waits for its next round with one listener; Node 20 warns of more than ten.
    setMaxListeners(tasks.length, this.stopping.signal);
    this.running = Promise.all(tasks.map((task) => this.repeat(task)));
  }

  /** Resolves when the rounds in hand have ended; none begins afterwards. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Closing the application stops them too. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  private findTasks(): Task[] {
    for (const wrapper of this.discovery.getControllers()) {
      for (const { method } of this.periodicMethodsOf(wrapper)) {
        throw new Error(`@Periodic ${method} is in a controller, where nothing calls it: move it to a provider`);
      }
    }
    return this.discovery.getProviders().flatMap((wrapper) =>
      this.periodicMethodsOf(wrapper).map(({ method, work, options }) => {
        const instance: unknown = wrapper.instance;
        if (!wrapper.isDependencyTreeStatic() || typeof instance !== 'object' || instance === null) {
          throw new Error(
            `@Periodic ${method} has no instance that lasts: give its class, and what it is given, no scope`,
          );
        }
        return taskOf(instance, method, work, options);
      }),
    );
  }

  private periodicMethodsOf({ instance, metatype }: InstanceWrapper): PeriodicMethod[] {
    const made: unknown =
      typeof instance === 'object' && instance !== null ? Object.getPrototypeOf(instance) : undefined;
    const prototype: unknown = made ?? metatype?.prototype;
    if (typeof prototype !== 'object' || prototype === null) return [];
    return this.scanner.getAllMethodNames(prototype).flatMap((key) => {
      const work = (prototype as Record<string, unknown>)[key];
      if (typeof work !== 'function') return [];
      const options = Reflect.getMetadata(periodicMetadata.KEY, work) as PeriodicOptions<unknown> | undefined;
      const method = `${prototype.constructor.name}.${key}`;
      return options === undefined ? [] : [{ method, work: work as () => Promise<unknown>, options }];
    });
  }

  private async repeat(task: Task): Promise<void> {
    const { signal } = this.stopping;
    if (!task.atStart) await this.pause(task);
    while (!signal.aborted) {
      await this.round(task);
      await this.pause(task);
    }
  }

  private pause(task: Task): Promise<void> {
    return delay(jittered(this.intervalOf(task), Math.random), this.stopping.signal);
  }

  /** Milliseconds; what the instance told last that was an interval, where it tells none now. */
  private intervalOf(task: Task): number {
    try {
      const toldMs = task.everyMs();
      if (!isInterval(toldMs)) throw new Error(`everyMs is ${toldMs}`);
      task.lastMs = toldMs;
    } catch (err) {
      const { name, lastMs } = task;
      this.context.logger.error(
        { err, task: name, lastMs },
        'a periodic task tells no interval; it keeps its last one',
      );
    }
    return task.lastMs;
  }

  private async round({ name, work }: Task): Promise<void> {
    const startedAt = performance.now();
    try {
      await work();
      this.metrics.ended(name, 'done', performance.now() - startedAt);
    } catch (err) {
      this.metrics.ended(name, 'failed', performance.now() - startedAt);
      this.context.logger.error({ err, task: name }, 'a periodic task failed; it will run again');
    }
  }
}

const isInterval = (ms: number): boolean => ms > 0 && ms <= MAX_INTERVAL_MS;

/** Throws where its interval is none. */
function taskOf(
  instance: object,
  method: string,
  work: () => Promise<unknown>,
  { name, everyMs, atStart = false }: PeriodicOptions<unknown>,
): Task {
  const intervalMs = typeof everyMs === 'number' ? () => everyMs : () => everyMs(instance);
  const firstMs = intervalMs();
  if (!isInterval(firstMs)) {
    throw new Error(
      `@Periodic ${method}: everyMs is ${firstMs}; give milliseconds above 0 and of at most ${MAX_INTERVAL_MS}`,
    );
  }
  return { name, everyMs: intervalMs, lastMs: firstMs, atStart, work: () => work.call(instance) };
}
