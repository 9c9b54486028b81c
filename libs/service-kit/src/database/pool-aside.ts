import type pg from 'pg';
import { watchConnections } from './connection-watch.js';
import { openPool } from './lost-connections.js';

/** Milliseconds; longer than any statement of a request, shorter than what would hold back readers of the event store. */
export const STATEMENT_TIMEOUT_MS = 10_000;
/** Milliseconds a transaction may sit idle: a forgotten one would hold back every reader of the event store. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** Milliseconds that a statement waits for a connection: for one to be opened, or in a burst for one to be free. */
const CONNECTION_TIMEOUT_MS = 5_000;
const IDLE_CONNECTION_MS = 30_000;
/** Milliseconds beyond the longest statement after which a connection that says nothing counts as dead. */
export const SILENCE_MARGIN_MS = 2_000;
/** Milliseconds until the kernel asks after an idle connection. */
const KEEP_ALIVE_DELAY_MS = 10_000;

export interface ConnectionLimits {
  readonly statementTimeoutMs?: number | undefined;
  /** Milliseconds that a statement waits for a lock; as long as the statement may take where absent. */
  readonly lockTimeoutMs?: number | undefined;
  readonly connectionTimeoutMs?: number | undefined;
}

/** The bounds under which a service asks its database, as options of `pg`. */
export function connectionOptions({ statementTimeoutMs, lockTimeoutMs, connectionTimeoutMs }: ConnectionLimits) {
  return {
    statement_timeout: statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    ...(lockTimeoutMs === undefined ? {} : { lock_timeout: lockTimeoutMs }),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    connectionTimeoutMillis: connectionTimeoutMs ?? CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  };
}

export interface PoolAsideOptions extends ConnectionLimits {
  readonly url: string;
  readonly applicationName: string;
  /** Connections, which are opened when they are first needed. */
  readonly poolSize: number;
}

/**
 * Connections beside those of the data source, for what must not wait for requests or runs in a thread of its own. Whatever is asked ends
 * within the time of a statement and a margin. Whoever opens it ends it.
 */
export function openPoolAside({ url, applicationName, poolSize, ...limits }: PoolAsideOptions): pg.Pool {
  const options = connectionOptions(limits);
  const pool = openPool({ ...options, connectionString: url, application_name: applicationName, max: poolSize });
  watchConnections(pool, options.statement_timeout + SILENCE_MARGIN_MS);
  return pool;
}
