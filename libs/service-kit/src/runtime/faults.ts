import type { EventBusMetrics } from '@capability-router/event-bus';
import { flag, integer, oneOf } from '../config/validators.js';
import { loadEnv } from '../config/load-env.js';

/** Points of a call (execution). */
export const callFaultPoints = ['after-start', 'after-hold', 'after-provider-call', 'after-commit'] as const;
/** Points of a billed search (registry). */
export const searchFaultPoints = ['after-search-hold'] as const;
/** Points of relays and consumers (every service). */
export const eventFaultPoints = ['before-publish', 'after-publish', 'after-effect'] as const;
const faultPoints = [...callFaultPoints, ...searchFaultPoints, ...eventFaultPoints] as const;
export type FaultPoint = (typeof faultPoints)[number];

/** Where a recovery test may have a process kill itself, so that recovery is proved and not argued. */
export const faultEnvSpec = {
  FAULTS_ENABLED: flag({ desc: 'Allows FAULT_POINT. For recovery tests only.', default: false }),
  FAULT_POINT: oneOf(faultPoints, {
    desc: 'Where the process kills itself, if FAULTS_ENABLED is true.',
    default: undefined,
  }),
  FAULT_AFTER_CALLS: integer({
    desc: 'Times that FAULT_POINT is passed unharmed before the process kills itself.',
    min: 0,
    max: 1_000_000,
    default: 0,
  }),
};

export interface Faults {
  /** Ends the process with SIGKILL if this is the configured point and it was passed often enough. */
  reached(point: FaultPoint): void;
}

const noFaults: Faults = { reached: () => undefined };

export function loadFaults(env: NodeJS.ProcessEnv): Faults {
  const { FAULTS_ENABLED: enabled, FAULT_POINT: point, FAULT_AFTER_CALLS: after } = loadEnv(faultEnvSpec, env);
  return enabled && point !== undefined ? killAt(point, after) : noFaults;
}

function killAt(point: FaultPoint, after: number): Faults {
  let passed = 0;
  return {
    reached(at) {
      if (at !== point) return;
      passed += 1;
      if (passed > after) process.kill(process.pid, 'SIGKILL');
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
    batchHandled: (labels, events, durationMs) => {
      metrics.batchHandled?.(labels, events, durationMs);
      faults.reached('after-effect');
    },
  };
}
