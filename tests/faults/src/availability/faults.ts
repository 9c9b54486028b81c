import type { ContextName } from '@capability-router/contracts';
import { SilentProxy } from '@capability-router/service-kit/testing';
import { killPart, startPart } from '@capability-router/tools-stack';
import { pause } from '../load.js';
import type { Stand } from '../stand.js';
import type { Promised } from './seen-by-clients.js';

/** One client has one call under way, so that many can be with a replica at the moment when it fails. */
export const CLIENTS = 8;
/** Milliseconds that a part is away. */
const AWAY_MS = 6_000;
/** Long enough for peers to have probed the replica that was started before, on a busy machine too; `deploy/` has 5 s. */
const DRAINING = { SHUTDOWN_DRAIN_MS: '4000' };
/** Milliseconds for a call on a busy machine; what is promised beyond it is what its fault costs. */
const ORDINARY_MS = 30_000;
const nothing: Promised = { notRun: false, unknownAtMost: 0, longestMs: ORDINARY_MS };

export interface Fault {
  readonly name: string;
  readonly promised: Promised;
  /** Played in every run; the others in the torture alone. */
  readonly short?: true;
  /** Replicas as the fault needs them, before the load. */
  arrange?(stand: Stand): Promise<void>;
  /** Resolves when the fault is over, under load all the while. */
  play(stand: Stand): Promise<void>;
}

/** Each replica in turn, one stopped when the one before serves again. */
const rolled = (name: ContextName): Fault => ({
  name: `every replica of ${name} is stopped by SIGTERM and started, one after the other`,
  promised: nothing,
  ...(name === 'execution' ? { short: true } : {}),
  arrange: (stand) => stand.arrange({ [`${name} 0`]: DRAINING, [`${name} 1`]: DRAINING }),
  async play(stand) {
    for (const index of [0, 1]) {
      const replica = stand.services.replica(name, index);
      await replica.stop();
      await replica.start(DRAINING);
    }
  },
});

const frozen = (name: ContextName, promised: Promised): Fault => ({
  name: `a replica of ${name} is frozen by SIGSTOP`,
  promised,
  ...(name === 'execution' ? { short: true } : {}),
  async play(stand) {
    const replica = stand.services.replica(name, 0);
    if (replica.process !== undefined) process.kill(replica.process.pid, 'SIGSTOP');
    await pause(AWAY_MS);
    replica.goOn();
  },
});

const killed = (name: ContextName, promised: Promised): Fault => ({
  name: `a replica of ${name} is killed and started`,
  promised,
  async play(stand) {
    await stand.services.killReplica(name, 0);
    await pause(AWAY_MS / 2);
    await stand.services.startReplica(name, 0);
  },
});

const partDied = (part: 'postgres' | 'kafka', promised: Promised): Fault => ({
  name: `${part} is killed and started`,
  promised,
  async play({ stack }) {
    await killPart(stack.directory, part);
    await pause(AWAY_MS / 2);
    await startPart(stack.directory, part);
    await pause(AWAY_MS);
  },
});

const partFrozen = (part: 'kafka' | 'redis'): Fault => ({
  name: `${part} is frozen by SIGSTOP`,
  promised: nothing,
  async play({ stack }) {
    const { pid } = stack.parts[part].process;
    process.kill(pid, 'SIGSTOP');
    await pause(AWAY_MS);
    process.kill(pid, 'SIGCONT');
  },
});

/** The kernel of the other side is gone: connections neither break nor answer. */
const halfOpen = (name: 'billing' | 'execution', promised: Promised): Fault => {
  const variable = `${name.toUpperCase()}_DATABASE_URL`;
  let proxy: SilentProxy;
  return {
    name: `the database connections of a replica of ${name} die in silence`,
    promised,
    ...(name === 'billing' ? { short: true } : {}),
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
      while (!(await replica.isReady())) await pause(200);
      await replica.stop();
      await proxy.close();
      await replica.start();
    },
  };
};

const everythingKilled: Fault = {
  name: 'all processes are killed at once, and started',
  // A call under way is broken off, and whoever calls meanwhile meets nobody.
  promised: { notRun: true, unknownAtMost: Number.POSITIVE_INFINITY, longestMs: 60_000 },
  async play({ services }) {
    await Promise.all(services.replicas.map((replica) => replica.kill()));
    await Promise.all(services.replicas.map((replica) => replica.start()));
  },
};

/** A call that was written to a replica that fails is never sent again, so its outcome has to be looked up. */
const lostWithReplica: Promised = { notRun: false, unknownAtMost: 2 * CLIENTS, longestMs: 60_000 };
const withoutDatabase: Promised = { notRun: true, unknownAtMost: 4 * CLIENTS, longestMs: 60_000 };

export const faults: readonly Fault[] = [
  rolled('execution'),
  // A replica that goes on before its calls were given up has lost its lease, and refuses to run them: 503.
  frozen('execution', { ...lostWithReplica, notRun: true }),
  halfOpen('billing', nothing),
  rolled('billing'),
  rolled('identity'),
  rolled('registry'),
  frozen('billing', nothing),
  frozen('identity', nothing),
  killed('execution', lostWithReplica),
  killed('billing', nothing),
  halfOpen('execution', { ...lostWithReplica, notRun: true }),
  partDied('kafka', nothing),
  partDied('postgres', withoutDatabase),
  partFrozen('kafka'),
  partFrozen('redis'),
  everythingKilled,
];
