import type { Socket } from 'node:net';
import type pg from 'pg';
import { onceLate } from '../util/timing.js';

/** A watch needs these members of a connection of `pg`, whose types leave them out. */
interface WatchedClient {
  readonly connection: { readonly stream: Socket };
  /** False while an answer is awaited. */
  readonly readyForQuery: boolean;
}
const watched = (client: pg.PoolClient): WatchedClient => client as unknown as WatchedClient;

/** Milliseconds of the silence that are counted anew: a process that was held itself has not asked, nor read, in its own. */
const LAST_MS = 1_000;

export interface ConnectionWatch {
  /** Bytes that have come over all connections so far: where they grow, the database answers. */
  bytesReceived(): number;
}

/**
 * Breaks connections off on which an answer is awaited and nothing has moved for `silenceMs`. A host that is gone, or a
 * firewall that has forgotten a connection, tells nobody: the kernel would wait for many minutes, and so would whoever
 * asks. What is asked fails, and the pool opens another connection. Idle connections of the pool have most likely died
 * with the one that was found dead, so they go too.
 *
 * `silenceMs` is longer than any statement may take: the server would have ended it. It is above a second.
 */
export function watchConnections(pool: pg.Pool, silenceMs: number): ConnectionWatch {
  const open = new Set<WatchedClient>();
  const idle = new Set<WatchedClient>();
  let receivedByClosed = 0;

  const breakOff = (client: WatchedClient): void => {
    const silence = new Error(`the database has not answered for ${silenceMs} ms`);
    // The error has the code that the kernel would give it, so that consumers wait and try again.
    client.connection.stream.destroy(Object.assign(silence, { code: 'ETIMEDOUT' }));
  };
  const attend = (client: WatchedClient): void => {
    const { stream } = client.connection;
    let waitNoLonger = (): void => undefined;
    open.add(client);
    stream.setTimeout(silenceMs - LAST_MS);
    stream.on('timeout', () => {
      if (client.readyForQuery) return;
      const { bytesRead, bytesWritten } = stream;
      const hasMoved = (): boolean => stream.bytesRead > bytesRead || stream.bytesWritten > bytesWritten;
      waitNoLonger();
      waitNoLonger = onceLate(LAST_MS, () => {
        if (client.readyForQuery || hasMoved()) return;
        breakOff(client);
        for (const other of [...idle]) breakOff(other);
      });
    });
    stream.once('close', () => {
      waitNoLonger();
      receivedByClosed += stream.bytesRead;
      open.delete(client);
      idle.delete(client);
    });
  };
  // The watch does not wait for a connect: the pool may have connections already.
  pool.on('acquire', (acquired) => {
    const client = watched(acquired);
    if (!idle.delete(client) && !open.has(client)) attend(client);
  });
  pool.on('release', (_error, released) => {
    const client = watched(released);
    if (open.has(client)) idle.add(client);
  });
  return {
    bytesReceived: () => [...open].reduce((sum, { connection }) => sum + connection.stream.bytesRead, receivedByClosed),
  };
}
