import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const CLOSE_CHECK_INTERVAL_MS = 20;
/** Milliseconds that the head of a request may still take once the listener closes. */
const LAST_HEAD_MS = 1_000;

export interface ConnectionOptions {
  /** Open at the same time; further ones are closed at once. */
  readonly maxConnections?: number;
  /** Milliseconds for which nothing may move on a connection where an answer waits to be taken. */
  readonly answerStallMs: number;
}

interface Connection {
  /** Under way. */
  requests: number;
  /** When it was last looked at: bytes that had come, bytes of answers, and those of them that waited to be taken. */
  read: number;
  written: number;
  waiting: number;
  /** Since when none has changed. */
  sinceMs: number;
}

/** Bounds how many connections there are, and how long one is held by somebody who does not take an answer. */
export function watchConnections(server: FastifyInstance, { maxConnections, answerStallMs }: ConnectionOptions): void {
  const connections = new Map<Socket, Connection>();
  if (maxConnections !== undefined) server.server.maxConnections = maxConnections;
  server.server.on('connection', (socket: Socket) => {
    connections.set(socket, { requests: 0, read: 0, written: 0, waiting: 0, sinceMs: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });
  server.server.on('request', ({ socket }, response) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    response.once('close', () => (connection.requests -= 1));
  });
  let stalls: NodeJS.Timeout | undefined;
  server.server.on('listening', () => {
    stalls = setInterval(() => closeStalled(connections, answerStallMs), answerStallMs / 4).unref();
  });
  server.addHook('onClose', (_instance, done) => {
    clearInterval(stalls);
    done();
  });
  closeOnceIdle(server, connections);
}

function closeStalled(connections: ReadonlyMap<Socket, Connection>, answerStallMs: number): void {
  const nowMs = performance.now();
  for (const [socket, connection] of connections) {
    const { bytesRead: read, bytesWritten: written, writableLength: waiting } = socket;
    // Somebody who still sends may read later, as long imports do.
    const moved = read !== connection.read || written !== connection.written || waiting !== connection.waiting;
    if (waiting === 0 || moved) Object.assign(connection, { read, written, waiting, sinceMs: nowMs });
    else if (nowMs - connection.sinceMs >= answerStallMs) socket.destroy();
  }
}

/**
 * Closing waits for requests, but not for the connections that clients keep open for later: neither those between two
 * requests, nor those that never carried one, which Node counts as busy, nor for long those whose next request does not get
 * beyond its head.
 */
function closeOnceIdle(server: FastifyInstance, connections: ReadonlyMap<Socket, Connection>): void {
  let timer: NodeJS.Timeout | undefined;
  server.addHook('preClose', (done) => {
    const closingMs = performance.now();
    timer = setInterval(() => {
      server.server.closeIdleConnections();
      const isLate = performance.now() - closingMs >= LAST_HEAD_MS;
      for (const [socket, { requests }] of connections) {
        if (socket.bytesRead === 0 || (isLate && requests === 0)) socket.destroy();
      }
    }, CLOSE_CHECK_INTERVAL_MS);
    done();
  });
  server.addHook('onClose', (_instance, done) => {
    clearInterval(timer);
    done();
  });
}
