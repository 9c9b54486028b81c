import { Gauge, Histogram, type Registry } from 'prom-client';

/** Seconds of one round, from an empty look at a table to a sweep of a large one. */
const bucketsSeconds = [0.01, 0.1, 1, 10, 60];
const MS_PER_SECOND = 1_000;

type Labels = 'service' | 'task';

export interface PeriodicMetrics {
  /** Gives the task an age from now on, so that an alert on it fires also where no round ever ends well. */
  started(task: string): void;
  ended(task: string, result: 'done' | 'failed', durationMs: number): void;
}

/** One pair of metrics per registry, also where several services share a process. */
export function periodicMetrics(registry: Registry, service: string): PeriodicMetrics {
  const rounds =
    existing<Histogram<Labels | 'result'>>(registry, 'periodic_task_duration_seconds') ?? roundsOf(registry);
  const lastDone =
    existing<Gauge<Labels>>(registry, 'periodic_task_last_done_timestamp_seconds') ?? lastDoneOf(registry);
  return {
    started: (task) => lastDone.set({ service, task }, Date.now() / MS_PER_SECOND),
    ended(task, result, durationMs) {
      rounds.observe({ service, task, result }, durationMs / MS_PER_SECOND);
      if (result === 'done') lastDone.set({ service, task }, Date.now() / MS_PER_SECOND);
    },
  };
}

const existing = <Metric>(registry: Registry, name: string): Metric | undefined =>
  registry.getSingleMetric(name) as Metric | undefined;

const roundsOf = (registry: Registry): Histogram<Labels | 'result'> =>
  new Histogram({
    name: 'periodic_task_duration_seconds',
    help: 'Seconds of one round of a task in the background, by its result: done or failed.',
    labelNames: ['service', 'task', 'result'],
    buckets: bucketsSeconds,
    registers: [registry],
  });

const lastDoneOf = (registry: Registry): Gauge<Labels> =>
  new Gauge({
    name: 'periodic_task_last_done_timestamp_seconds',
    help: 'When a round of a task in the background ended well last on this replica, or when the service started where none has; in Unix time.',
    labelNames: ['service', 'task'],
    registers: [registry],
  });
