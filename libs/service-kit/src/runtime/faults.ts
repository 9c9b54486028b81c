import type { EventBusMetrics } from '@capability-router/event-bus';
import { flag, integer, oneOf, text } from '../config/validators.js';
import { loadEnv } from '../config/load-env.js';

/** Points of a call (execution). */
export const callFaultPoints = ['after-start', 'after-hold', 'after-provider-call', 'after-commit'] as const;
/** Points of a billed search (registry). */
export const searchFaultPoints = ['after-search-hold'] as const;
/** Points of relays and consumers (every service). */
export const eventFaultPoints = [
  'before-publish',
  'after-publish',
  'before-effect',
  'before-effect-commit',
  'after-effect',
] as const;
const faultPoints = [...callFaultPoints, ...searchFaultPoints, ...eventFaultPoints] as const;
export type FaultPoint = (typeof faultPoints)[number];

/** Where a recovery test may have a process kill or hold itself, so that recovery is proved and not argued. */
export const faultEnvSpec = {
  FAULTS_ENABLED: flag({ desc: 'Allows FAULT_POINT. For recovery tests only.', default: false }),
  FAULT_POINT: oneOf(faultPoints, {
    desc: 'Where the process sends itself FAULT_SIGNAL, if FAULTS_ENABLED is true.',
    default: undefined,
  }),
  FAULT_SIGNAL: oneOf(['SIGKILL', 'SIGSTOP'], {
    desc: 'What the process sends itself there: SIGSTOP holds it until it is sent SIGCONT.',
    default: 'SIGKILL',
  }),
  FAULT_CONSUMER: text({
    desc: 'Consumer group to whose batches a FAULT_POINT of events is limited; any where it is not given.',
    default: undefined,
    example: 'billing.settlement',
  }),
  FAULT_AFTER_CALLS: integer({
    desc: 'Times that FAULT_POINT is passed unharmed before the signal is sent, once.',
    min: 0,
    max: 1_000_000,
    default: 0,
  }),
};

export interface Faults {
  /**
   * Sends the process its signal if this is the configured point and it was passed often enough. `consumer` is the group
   * whose batch is there.
   */
  reached(point: FaultPoint, consumer?: string): void;
}

const noFaults: Faults = { reached: () => undefined };

export function loadFaults(env: NodeJS.ProcessEnv): Faults {
  const config = loadEnv(faultEnvSpec, env);
  const { FAULTS_ENABLED: enabled, FAULT_POINT: point } = config;
  if (!enabled || point === undefined) return noFaults;
  let passed = 0;
  let signalled = false;
  return {
    reached(at, consumer) {
      if (at !== point || signalled) return;
      if (config.FAULT_CONSUMER !== undefined && config.FAULT_CONSUMER !== consumer) return;
      passed += 1;
      if (passed <= config.FAULT_AFTER_CALLS) return;
      signalled = true;
      process.kill(process.pid, config.FAULT_SIGNAL);
    },
  };
}

/** Relays and consumers report each step to their metrics, so the points of a fault are there. */
export function withFaults(metrics: EventBusMetrics, faults: Faults): EventBusMetrics {
  return {
    ...metrics,
    eventsRead: (labels, events) => {
      metrics.eventsRead?.(labels, events);
      faults.reached('before-publish');
    },
    eventsRelayed: (labels, events) => {
      metrics.eventsRelayed?.(labels, events);
      faults.reached('after-publish');
    },
    batchRead: (labels) => {
      metrics.batchRead?.(labels);
      faults.reached('before-effect', labels.group);
    },
    batchApplied: (labels) => {
      metrics.batchApplied?.(labels);
      faults.reached('before-effect-commit', labels.group);
    },
    batchHandled: (labels, events, durationMs) => {
      metrics.batchHandled?.(labels, events, durationMs);
      faults.reached('after-effect', labels.group);
    },
  };
}
