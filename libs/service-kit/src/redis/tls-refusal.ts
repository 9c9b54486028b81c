import { connect } from 'node:tls';
import type { RedisAddress, RedisTls } from '../config/redis-env.js';
import { tlsOptionsOf } from './redis-options.js';

/** Milliseconds for a server that issues no session ticket to say that it wants another certificate. */
const OBJECTION_MS = 500;

/**
 * Whether the two sides agree on TLS. A server objects to a client's certificate, or to none, after the client has taken the
 * connection for good; whoever writes by then may lose the objection to a reset, so nothing is written here.
 *
 * @returns the error of the client, or the alert of the server; undefined where there is none
 */
export function tlsRefusal(address: RedisAddress, tls: RedisTls, timeoutMs: number): Promise<Error | undefined> {
  const socket = connect({ ...address, ...tlsOptionsOf(tls), timeout: timeoutMs });
  return new Promise<Error | undefined>((resolve) => {
    const agreed = (): void => resolve(undefined);
    socket.once('error', resolve);
    socket.once('timeout', () => resolve(new Error(`no answer within ${timeoutMs} ms`)));
    socket.once('close', () => resolve(new Error('the connection was closed')));
    // The ticket follows the server's look at the certificate.
    socket.once('session', agreed);
    socket.once('secureConnect', () => setTimeout(agreed, OBJECTION_MS).unref());
  }).finally(() => {
    socket.on('error', () => undefined);
    socket.destroy();
  });
}
