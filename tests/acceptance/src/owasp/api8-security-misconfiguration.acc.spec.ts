/**
 * OWASP API8:2023. Attacked: what was left on, left open or told by an error. Unreadable bodies, URLs and heads are in `gateway-rules`,
 * pages for people and their headers in `device-sign-in-browser` and `console`, origins of MCP in `mcp`; no error of the suite holds a trace or SQL.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from '../support/accounts.js';
import { call, send } from '../support/http.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const answers: readonly [string, () => ReturnType<typeof send>][] = [
  ['a success', () => call('GET', '/auth/credits', { key: account.key })],
  ['a refusal', () => call('GET', '/auth/credits')],
  ['no such path', () => call('GET', '/no-such-path')],
  ['an unreadable body', () => call('POST', '/search', { key: account.key, rawBody: '{' })],
];

describe.each(answers)('the answer of %s', (_what, ask) => {
  it('names neither the server nor what it is made with', async () => {
    const { headers, text } = await ask();
    for (const name of ['server', 'x-powered-by', 'x-runtime', 'x-answered-by', 'via'])
      expect(headers.has(name)).toBe(false);
    expect(text).not.toMatch(/fastify|nestjs|node_modules|postgres|kafka|redis|127\.0\.0\.1/i);
  });

  it('lets no page of another origin read it, and sets no cookie', async () => {
    const { headers } = await ask();
    const names = [...headers.keys()].filter((name) => name.startsWith('access-control-') || name === 'set-cookie');
    expect(names).toEqual([]);
  });
});

describe('a page of another origin', () => {
  it('is not told that it may send keys', async () => {
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const reply = await send('OPTIONS', '/api/v1/search', { headers });
    expect(reply.status).toBe(405);
    expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('what shows how a deployment is made', () => {
  it.each([
    '/.env',
    '/.git/config',
    '/.well-known/../.env',
    '/metrics',
    '/debug',
    '/debug/pprof',
    '/actuator/env',
    '/server-status',
    '/config.json',
    '/package.json',
    '/swagger.json',
    '/graphql',
    '/internal/credentials:verify',
    '/api/v1/debug',
    '/api/v1/metrics',
    '/api/v1/internal/holds',
  ])('is not there: %s', async (path) => {
    expect((await send('GET', path, { key: account.key })).status).toBe(404);
  });

  it('is not asked for by TRACE, which would give back the key', async () => {
    // fetch refuses to send it; PROPFIND stands for methods that nobody needs.
    for (const method of ['PROPFIND', 'OPTIONS']) {
      const reply = await send(method, '/api/v1/auth/credits', { key: account.key });
      expect([method, reply.status, reply.text.includes(account.key)]).toEqual([method, 405, false]);
    }
  });
});
