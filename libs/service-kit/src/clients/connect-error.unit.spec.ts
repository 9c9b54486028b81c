import { connect } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from '@jest/globals';
import { isConnectError, isConnectTimeout } from './connect-error.js';

const coded = (code: string, syscall?: string): Error =>
  Object.assign(new Error(code), { code, ...(syscall === undefined ? {} : { syscall }) });

/** The error of a connection to a name that stands for these addresses; nothing listens on port 9. */
const failureAt = (...addresses: readonly LookupAddress[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const socket = connect({
      host: 'service.test',
      port: 9,
      autoSelectFamily: true,
      lookup: (_host, _options, found) => found(null, [...addresses]),
    });
    socket.once('error', resolve).once('connect', () => {
      socket.destroy();
      reject(new Error('somebody listens'));
    });
  });

describe('an error of a request', () => {
  it.each([
    ['of a refused connection', coded('ECONNREFUSED', 'connect'), true],
    ['of a host without a route', coded('EHOSTUNREACH', 'connect'), true],
    ['of a network without a route', coded('ENETUNREACH', 'connect'), true],
    ['of a name that nobody knows', coded('ENOTFOUND', 'getaddrinfo'), true],
    ['of a connection that took too long', coded('UND_ERR_CONNECT_TIMEOUT'), true],
    [
      'of several addresses',
      new AggregateError([coded('ETIMEDOUT', 'connect'), coded('EHOSTUNREACH', 'connect')]),
      true,
    ],
    ['of a route that was lost under the request', coded('EHOSTUNREACH', 'read'), false],
    ['without the call that failed', coded('ENETUNREACH'), false],
    ['of several addresses, one of which was written to', aggregateOf('connect', 'write'), false],
    ['of no address', new AggregateError([]), false],
    ['of a connection that broke', coded('ECONNRESET', 'read'), false],
    ['that is none', undefined, false],
  ])('%s proves or does not prove that nothing was sent', (_of, error, expected) => {
    expect(isConnectError(error)).toBe(expected);
  });

  it('comes as these from a real connection, to one address or to several', async () => {
    const [away, closed] = [
      { address: '255.255.255.255', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const [one, several] = [await failureAt(away), await failureAt(away, closed)];
    expect(one).toMatchObject({ code: 'ENETUNREACH', syscall: 'connect' });
    expect(several).toMatchObject({ errors: [{ code: 'ENETUNREACH' }, { code: 'ECONNREFUSED' }] });
    expect([one, several].map(isConnectError)).toEqual([true, true]);
  });

  it('tells a connection that nobody answered from one that was refused', () => {
    expect(isConnectTimeout(coded('ETIMEDOUT', 'connect'))).toBe(true);
    expect(isConnectTimeout(coded('UND_ERR_CONNECT_TIMEOUT'))).toBe(true);
    expect(isConnectTimeout(coded('EHOSTUNREACH', 'connect'))).toBe(false);
  });
});

function aggregateOf(...syscalls: readonly string[]): AggregateError {
  return new AggregateError(syscalls.map((syscall) => coded('ENETUNREACH', syscall)));
}
