import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase } from '@capability-router/event-store/testing';
import { acquireLease, checkpoint, releaseLease } from '../kafka/relay-lease.js';
import { beginAnew } from './begin-anew.js';
import { loadPosition } from './consumer-position.js';

const LEASE_MS = 60_000;
const slot = { group: 'billing.settlement', topic: 'internal.execution.executions.v1', partition: 3 };

describe('topics that were made anew', () => {
  let database: Awaited<ReturnType<typeof createScratchDatabase>>;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it('are published and read from the beginning, once nobody publishes any more', async () => {
    const { pool } = database;
    const lease = await acquireLease(pool, 'execution-relay', 'a replica', LEASE_MS);
    if (lease === undefined) throw new Error('nobody else is there');
    await checkpoint(pool, lease, lease.position, '7:42', LEASE_MS);
    await loadPosition(pool, slot, '512');

    expect(await beginAnew(pool)).toEqual({ status: 'held', relays: ['execution-relay'] });
    expect(await loadPosition(pool, slot, '0')).toBe('512');

    await releaseLease(pool, lease);
    const began = await beginAnew(pool);
    expect(began).toEqual({ status: 'began', relays: 1, positions: 1, epoch: expect.any(Number) });
    expect(await loadPosition(pool, slot, '0')).toBe('0');
    // A replica that was killed and comes back cannot move the checkpoint.
    expect(await checkpoint(pool, lease, '7:42', '7:43', LEASE_MS)).toBe(false);
    expect(await checkpoint(pool, lease, '', '7:43', LEASE_MS)).toBe(false);
    const next = await acquireLease(pool, 'execution-relay', 'another', LEASE_MS);
    expect(next).toMatchObject({ position: '' });
    if (next !== undefined) await releaseLease(pool, next);
    const again = await beginAnew(pool);
    expect(again).toMatchObject({ status: 'began', positions: 1 });
    expect('epoch' in began && 'epoch' in again && again.epoch - began.epoch).toBe(1);
  });
});
