import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Pool } from 'undici';
import { Replica } from '../../testing/replica.js';
import { AddressOwner } from './address-owner.js';
import { probe } from './probe.js';

let replica: Replica;
let pool: Pool;
beforeEach(async () => {
  replica = await new Replica().start();
  pool = new Pool(replica.url, { connections: 1 });
});
afterEach(async () => {
  await pool.destroy();
  replica.stop();
});

it('a process that was stopped does not take its own silence for that of the address', async () => {
  const found = probe(pool, new AddressOwner('billing'));
  // As a stopped process, this one neither sends nor reads until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  expect(await found).toBe('ready');
});

it('an address at which another service answers is none of this one, ready or not', async () => {
  expect(await probe(pool, new AddressOwner('billing'))).toBe('ready');
  replica.name = 'billing';
  expect(await probe(pool, new AddressOwner('billing'))).toBe('ready');
  replica.name = 'identity';
  expect(await probe(pool, new AddressOwner('billing'))).toBe('not_ours');
  replica.ready = false;
  expect(await probe(pool, new AddressOwner('billing'))).toBe('not_ours');
});
