import pg from 'pg';
import { clientFor } from './password-file.js';

const ignore = (): void => undefined;

/**
 * A connection that is lost while nothing is asked of it is an event, which would end the process where nobody listens:
 * on the pool while the connection is idle or is being closed, on the client while it is checked out. The pool opens
 * another when one is needed, and whoever has it checked out learns of it by the next query.
 */
export function surviveLostConnections(pool: pg.Pool): void {
  pool.on('error', ignore);
  pool.on('acquire', (client) => client.on('error', ignore));
  pool.on('release', (_error, client) => client.off('error', ignore));
}

/** A pool beside those of the services, for a command or a single step. No lost connection ends its process. */
export function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...options, Client: clientFor(options.connectionString) });
  surviveLostConnections(pool);
  return pool;
}

/** A connection of its own, open. No loss of it ends its process: the next query rejects. */
export async function connectClient(options: pg.ClientConfig): Promise<pg.Client> {
  const client = new (clientFor(options.connectionString))(options);
  client.on('error', ignore);
  await client.connect();
  return client;
}
