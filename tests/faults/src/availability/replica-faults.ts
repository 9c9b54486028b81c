import type { ContextName } from '@capability-router/contracts';
import { commonEnvSpec } from '@capability-router/service-kit/config';
import { SilentProxy } from '@capability-router/service-kit/testing';
import type { Replica } from '@capability-router/tools-stack';
import { pause } from '../load.js';
import { AWAY_MS, type Fault, nobodyThere, nothing } from './fault.js';
import { credits, type Read } from './reads.js';
import type { Promised } from './seen-by-clients.js';
import { SET_CLOCK, skewable } from './skew.js';

/** As it ships; the services of other tests do not drain. */
const DRAINING = { SHUTDOWN_DRAIN_MS: String(commonEnvSpec.SHUTDOWN_DRAIN_MS.default) };

/** Each replica in turn, one stopped when the one before serves again. Nobody waits for those that are new to drain. */
export const rolled = (name: ContextName, ...reads: readonly Read[]): Fault => ({
  name: `every replica of ${name} is stopped by SIGTERM and started, one after the other`,
  promised: nothing,
  reads,
  arrange: (stand) => stand.arrange({ [`${name} 0`]: DRAINING, [`${name} 1`]: DRAINING }),
  async play(stand) {
    for (const index of [0, 1]) {
      const replica = stand.services.replica(name, index);
      await replica.stop();
      await replica.start();
    }
  },
});

/** Clients meet a gateway themselves, so nothing but a balancer takes them to the other one. */
export const gatewaysRolled: Fault = { ...rolled('gateway', credits), balanced: true };

export const frozen = (name: ContextName, promised: Promised, awayMs = AWAY_MS): Fault => ({
  name: `a replica of ${name} is frozen by SIGSTOP for ${awayMs / 1_000} s`,
  promised,
  async play(stand) {
    const replica = stand.services.replica(name, 0);
    signal(replica, 'SIGSTOP');
    await pause(awayMs);
    replica.goOn();
  },
});

export const killed = (name: ContextName, promised: Promised): Fault => ({
  name: `a replica of ${name} is killed and started`,
  promised,
  async play(stand) {
    await stand.services.killReplica(name, 0);
    await pause(AWAY_MS / 2);
    await stand.services.startReplica(name, 0);
  },
});

/** The kernel of the other side is gone: connections neither break nor answer. */
export const halfOpen = (name: 'billing' | 'execution', promised: Promised): Fault => {
  const variable = `${name.toUpperCase()}_DATABASE_URL`;
  let proxy: SilentProxy;
  return {
    name: `the database connections of a replica of ${name} die in silence`,
    promised,
    async arrange(stand) {
      const url = stand.stack.databases[name].appUrl;
      proxy = await SilentProxy.before(url);
      await stand.arrange({ [`${name} 0`]: { [variable]: proxy.urlOf(url) } });
    },
    async play(stand) {
      proxy.fallSilent();
      await pause(AWAY_MS);
      proxy.speakAgain();
      // The replica serves again by itself, over new connections.
      const replica = stand.services.replica(name, 0);
      await untilReady(replica, true);
      await replica.stop();
      await proxy.close();
      await replica.start();
    },
  };
};

/** The clock of a replica's machine is set wrong while it serves, and right again. */
export const skewed = (name: ContextName, skewMs: number, promised: Promised = nothing): Fault => ({
  name: `the clock of a replica of ${name} is set ${Math.abs(skewMs) / 1_000} s ${skewMs > 0 ? 'ahead' : 'back'}`,
  promised,
  arrange: (stand) => stand.arrange({ [`${name} 0`]: skewable(skewMs) }),
  async play(stand) {
    const replica = stand.services.replica(name, 0);
    signal(replica, SET_CLOCK);
    await untilReady(replica, false);
    await pause(AWAY_MS);
    signal(replica, SET_CLOCK);
    await untilReady(replica, true);
  },
});

export const everythingKilled: Fault = {
  name: 'all processes are killed at once, and started',
  promised: nobodyThere,
  async play({ services }) {
    await Promise.all(services.replicas.map((replica) => replica.kill()));
    await Promise.all(services.replicas.map((replica) => replica.start()));
  },
};

function signal({ process: running }: Replica, what: NodeJS.Signals): void {
  if (running !== undefined) process.kill(running.pid, what);
}

async function untilReady(replica: Replica, ready: boolean): Promise<void> {
  while ((await replica.isReady()) !== ready) await pause(100);
}
