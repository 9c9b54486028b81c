import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@capability-router/kernel';
import { createLogger, generateInternalKeys, InternalTokens } from '@capability-router/service-kit';
import { createHttpClients } from '@capability-router/service-kit/http-clients';
import { Upstream } from '../test-support/upstream.js';
import { IdentityClock } from './identity-clock.js';
import { ReplicaLease } from './replica-lease.js';

let identity: Upstream;
let lease: ReplicaLease;
let nowMs: number;
let closeClients: () => Promise<void>;

beforeEach(async () => {
  identity = new Upstream();
  const url = await identity.start();
  const { signingKeys, jwks } = generateInternalKeys();
  const signingKey = signingKeys.gateway;
  const tokens = await InternalTokens.create({ service: 'gateway', signingKey, jwks, clock: systemClock });
  const { clients, close } = createHttpClients((name) => (name === 'identity' ? [url] : undefined), tokens);
  closeClients = close;
  nowMs = 1_000_000;
  const logger = createLogger('gateway', 'silent');
  lease = new ReplicaLease(clients, logger, () => nowMs, new IdentityClock(systemClock, () => nowMs));
});
afterEach(async () => {
  await lease.stop();
  await closeClients();
  await identity.stop();
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not come');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** So many more, all but the last of them answered; each is brought forward by something to confirm. */
async function untilReports(count: number): Promise<void> {
  for (let more = 0; more < count; more += 1) {
    const before = identity.reports.length;
    lease.confirm('key');
    await until(() => identity.reports.length > before);
  }
}

/** Every id that was confirmed. */
const confirmed = (): string[] => identity.reports.flatMap(({ evicted }) => evicted);

describe('the lease of a replica', () => {
  it('covers no answer from before the first report, and those from after it for three seconds', async () => {
    expect([lease.isHeld(), lease.covers(nowMs)]).toEqual([false, false]);
    const before = lease.nowMs();
    nowMs += 10;
    lease.start();
    await until(() => lease.isHeld());
    expect([lease.covers(before), lease.covers(nowMs)]).toEqual([false, true]);
    identity.hearsReports = false;
    const asked = nowMs;
    nowMs += 2_999;
    expect(lease.covers(asked)).toBe(true);
    nowMs += 1;
    expect([lease.isHeld(), lease.covers(asked)]).toEqual([false, false]);
  });

  it('that has lapsed, as of a process that was frozen, covers nothing of what was asked before', async () => {
    lease.start();
    await until(() => lease.isHeld());
    const asked = nowMs;
    nowMs += 3_000;
    expect(lease.covers(asked)).toBe(false);
    await until(() => lease.isHeld());
    expect([lease.covers(asked), lease.covers(nowMs)]).toEqual([false, true]);
  });

  it('that identity began anew, as after a pause in which the clock of the machine stood still, covers nothing from before', async () => {
    identity.reportAnswer = { leaseBeganAt: '2026-01-15T12:00:00.000Z' };
    lease.start();
    await until(() => lease.isHeld());
    const asked = (nowMs += 1);
    // An answer as before, and one of a release that does not tell it, end nothing.
    await untilReports(2);
    identity.reportAnswer = {};
    await untilReports(2);
    expect(lease.covers(asked)).toBe(true);
    nowMs += 1;
    identity.reportAnswer = { leaseBeganAt: '2026-01-15T12:05:00.000Z' };
    await until(() => !lease.covers(asked));
    expect([lease.isHeld(), lease.covers(nowMs)]).toEqual([true, true]);
  });

  it('confirms what was evicted without waiting for the next report, and again where identity did not hear it', async () => {
    lease.start();
    await until(() => lease.isHeld());
    const reports = identity.reports.length;
    lease.confirm('key-1');
    lease.confirm('key-2');
    await until(() => confirmed().length === 2);
    // Those that tell of nothing come all the time.
    const confirming = identity.reports.slice(reports).filter(({ evicted }) => evicted.length > 0);
    expect(confirming.length).toBeLessThanOrEqual(2);
    identity.hearsReports = false;
    lease.confirm('key-3');
    await until(() => confirmed().includes('key-3'));
    identity.hearsReports = true;
    const heard = identity.reports.length;
    await until(() => identity.reports.slice(heard).some(({ evicted }) => evicted.includes('key-3')));
    expect(new Set(identity.reports.map(({ replicaId }) => replicaId)).size).toBe(1);
  });

  it('ends with a word of leaving', async () => {
    lease.start();
    await until(() => lease.isHeld());
    await lease.stop();
    expect(identity.reports.at(-1)).toMatchObject({ leaving: true });
  });
});
