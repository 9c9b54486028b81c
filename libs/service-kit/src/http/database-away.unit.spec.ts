import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { AppError } from '@capability-router/kernel';
import { createMetrics } from '../observability/metrics.js';
import { mayBeSentAgain } from './database-away.js';
import { answerErrorsPlainly, createServer } from './server.js';

const logger = pino({ level: 'silent' });
const coded = (code: string, syscall?: string): Error => Object.assign(new Error('x'), { code, syscall });
/** As Node has it where a name stands for several addresses: it bears the code of the first. */
const aggregateOf = (code: string, syscall: string): Error =>
  Object.assign(new AggregateError([coded(code, syscall)]), { code });

describe('a request that fails while the database is away', () => {
  const pools: pg.Pool[] = [];
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.end())));

  async function poolOfNobody(): Promise<pg.Pool> {
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'nobody', database: 'nothing' });
    pools.push(pool);
    return pool;
  }

  it('is told to come again, whatever its method, where the database refuses connections', async () => {
    const pool = await poolOfNobody();
    const server = createServer({ service: 'billing', logger, metrics: createMetrics() });
    answerErrorsPlainly(server, logger);
    server.route({ method: ['GET', 'POST'], url: '/thing', handler: () => pool.query('SELECT 1') });
    for (const method of ['GET', 'POST'] as const) {
      const answer = await server.inject({ method, url: '/thing' });
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
      const message: unknown = expect.stringMatching(/.+/);
      expect(answer.json()).toEqual({ status: 'failure', message, code: 'service_unavailable' });
    }
  });

  it.each([
    ['a connection that broke', new Error('Connection terminated unexpectedly'), true, false],
    ['a database that is shutting down', coded('57P01'), true, false],
    ['a statement that took too long', coded('57014'), true, false],
    ['a database that is starting', coded('57P03'), true, true],
    ['a password that is being turned', coded('28P01'), true, true],
    ['a host without a name', coded('ENOTFOUND'), true, true],
    ['a host without a route', coded('EHOSTUNREACH', 'connect'), true, true],
    ['several addresses without a route', aggregateOf('ENETUNREACH', 'connect'), true, true],
    ['a route that was lost under a statement', coded('EHOSTUNREACH', 'read'), true, false],
    ['a pool that is all in use', new Error('timeout exceeded when trying to connect'), true, true],
    ['the cause of another error', new Error('failed', { cause: coded('ECONNREFUSED') }), true, true],
    ['a violated constraint', coded('23505'), false, false],
    ['a bug', new TypeError('x is not a function'), false, false],
  ])('may be sent again, as a read or as a command, after %s', (_name, error, read, command) => {
    expect([mayBeSentAgain(error, 'GET'), mayBeSentAgain(error, 'POST')]).toEqual([read, command]);
  });

  it('keeps the answer that its service has chosen', async () => {
    const server = createServer({ service: 'billing', logger, metrics: createMetrics() });
    answerErrorsPlainly(server, logger);
    server.get('/thing', () => {
      throw new AppError('not_found', undefined, { cause: coded('ECONNREFUSED') });
    });
    expect((await server.inject('/thing')).statusCode).toBe(404);
  });
});
