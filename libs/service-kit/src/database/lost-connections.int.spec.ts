import type { EventEmitter } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase } from '@capability-router/event-store/testing';
import type pg from 'pg';
import { connectClient, openPool } from './lost-connections.js';

type Scratch = Awaited<ReturnType<typeof createScratchDatabase>>;

/** An error that nobody listens for is thrown by `emit`, in the midst of what the socket reads: the process ends. */
describe('a connection that the server ends', () => {
  let database: Scratch;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const processOf = async (asked: pg.Pool | pg.ClientBase): Promise<number> => {
    const { rows } = await (asked as pg.Pool).query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid ?? 0;
  };
  /** Not by `once` of Node, which listens for errors itself. */
  const told = (emitter: EventEmitter, event: string) => new Promise((resolve) => emitter.once(event, resolve));
  const end = (pid: number) => database.pool.query('SELECT pg_terminate_backend($1)', [pid]);

  it('is replaced by its pool where it was idle', async () => {
    const pool = openPool({ connectionString: database.url, max: 1 });
    const first = await processOf(pool);
    const lost = told(pool, 'remove');
    await end(first);
    await lost;
    expect(await processOf(pool)).not.toBe(first);
    await pool.end();
  });

  it('fails the next query of whoever has it checked out, and then is replaced', async () => {
    const pool = openPool({ connectionString: database.url, max: 1 });
    const client = await pool.connect();
    const first = await processOf(client);
    const lost = told(client, 'end');
    await end(first);
    await lost;
    await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable/);
    client.release();
    expect(await processOf(pool)).not.toBe(first);
    expect(pool.listenerCount('error')).toBe(1);
    await pool.end();
  });

  it('fails the next query of a client of its own', async () => {
    const client = await connectClient({ connectionString: database.url });
    const lost = told(client, 'end');
    await end(await processOf(client));
    await lost;
    await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable/);
    await client.end();
  });
});
