import type { ContextName } from '@capability-router/contracts';
import { commonEnvSpec } from '@capability-router/service-kit/config';
import { shippedTimes, type Replica } from '@capability-router/tools-stack';
import { type Fault, nothing } from './fault.js';

/** Restarts of either kind. */
const TIMES = 3;
/** How often as long a start may take after a kill as after SIGTERM, beside the session that has to end. */
const SLOWER_AT_MOST = 2;
const SESSION_MS = commonEnvSpec.KAFKA_SESSION_TIMEOUT_MS.default ?? 0;

/** Milliseconds from the start of a process until `/readyz` says 200. */
export interface Restarts {
  /** The process before it had ended by SIGTERM. */
  readonly afterStopMs: readonly number[];
  /** It had been killed, so Kafka counts it as a member of its groups until its session is over. */
  readonly afterKillMs: readonly number[];
}

/** With the times that replicas ship with. */
export const restarted = (name: ContextName): Fault => ({
  name: `a replica of ${name} is stopped and started, and killed and started, ${TIMES} times`,
  promised: nothing,
  arrange: (stand) => stand.arrange({ [`${name} 0`]: shippedTimes, [`${name} 1`]: shippedTimes }),
  async play({ services }, { notes, broken }) {
    const replica = services.replica(name, 0);
    const [afterStopMs, afterKillMs]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < TIMES; turn += 1) {
      await replica.stop();
      afterStopMs.push(await startOf(replica));
      await replica.kill();
      afterKillMs.push(await startOf(replica));
    }
    notes.push(`a replica of ${name} is ready ${told(afterStopMs)} after a start that follows SIGTERM`);
    notes.push(`a replica of ${name} is ready ${told(afterKillMs)} after a start that follows SIGKILL`);
    broken.push(...slowAfterKills({ afterStopMs, afterKillMs }, SESSION_MS));
  },
});

/** A killed replica may have to wait until the session of the one before is over, and for nothing else. */
export function slowAfterKills({ afterStopMs, afterKillMs }: Restarts, sessionMs: number): string[] {
  const limitMs = SLOWER_AT_MOST * median(afterStopMs) + sessionMs;
  const tookMs = median(afterKillMs);
  return tookMs <= limitMs ? [] : [`ready ${Math.round(tookMs)} ms after kills, at most ${Math.round(limitMs)} ms`];
}

async function startOf(replica: Replica): Promise<number> {
  const beganMs = performance.now();
  await replica.start(shippedTimes);
  return performance.now() - beganMs;
}

const median = (times: readonly number[]): number =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

const told = (timesMs: readonly number[]): string => `${timesMs.map((ms) => (ms / 1_000).toFixed(1)).join(', ')} s`;
