/** @postgres-versions The answer is what a conflict leaves of the row. */
import { randomUUID } from 'node:crypto';
import { ManualClock } from '@capability-router/kernel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunningIdentity } from '../test-support/running-identity.js';

describe('a report of a gateway', () => {
  let identity: RunningIdentity;
  beforeAll(async () => {
    identity = await RunningIdentity.start(new ManualClock(Date.UTC(2026, 0, 15, 12)));
  });
  afterAll(() => identity.stop());

  const report = async (body: object): Promise<unknown> => {
    const answer = await identity.call({ method: 'POST', url: '/internal/gateway-replicas:report', body });
    expect(answer.status).toBe(200);
    return answer.body['leaseBeganAt'];
  };
  const silentFor = (replicaId: string, seconds: number): Promise<unknown> =>
    identity.database.owner.query(
      `UPDATE gateway_replicas SET lease_began_at = lease_began_at - $2 * interval '1 second',
              seen_at = seen_at - $2 * interval '1 second' WHERE replica_id = $1`,
      [replicaId, seconds],
    );
  const leaseOf = async (replicaId: string): Promise<unknown> => {
    const { rows } = await identity.database.owner.query<{ lease_began_at: Date }>(
      'SELECT lease_began_at FROM gateway_replicas WHERE replica_id = $1',
      [replicaId],
    );
    return rows[0]?.lease_began_at.toISOString();
  };

  it('is told since when its replica has lived without a gap, which is anew after one', async () => {
    const replicaId = randomUUID();
    const first = await report({ replicaId, evicted: [] });
    expect(first).toBe(await leaseOf(replicaId));
    expect(await report({ replicaId, evicted: ['key'] })).toBe(first);
    await silentFor(replicaId, 60);
    const lapsed = await leaseOf(replicaId);
    const anew = await report({ replicaId, evicted: [] });
    expect([anew === lapsed, anew === (await leaseOf(replicaId))]).toEqual([false, true]);
    // An answer that was lost takes nothing with it: the next one says the same.
    expect(await report({ replicaId, evicted: [] })).toBe(anew);
  });

  it('that its replica is leaving is told nothing', async () => {
    const replicaId = randomUUID();
    await report({ replicaId, evicted: [] });
    expect(await report({ replicaId, evicted: [], leaving: true })).toBeUndefined();
  });
});
