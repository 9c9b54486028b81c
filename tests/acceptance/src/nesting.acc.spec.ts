import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { call } from './support/http.js';
import { toldError } from './support/told-error.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const tool = '"tool_id":"formula.expression.evaluate.v1"';

const bodies: readonly (readonly [what: string, path: string, body: (deep: string) => string])[] = [
  ['a query', '/search', (deep) => `{"query":${deep}}`],
  ['a list of ids', '/tools/by-ids', (deep) => `{"tool_ids":${deep}}`],
  ['a parameter of a Probe', '/tools/probe', (deep) => `{${tool},"parameters":{"expression":${deep}}}`],
  ['a parameter of a Call', '/tools/execute', (deep) => `{${tool},"parameters":{"expression":${deep}}}`],
  ['an unknown member of a Call', '/tools/execute', (deep) => `{${tool},"parameters":{"expression":"1"},"zz":${deep}}`],
  ['a name', '/agent/anonymous-register', (deep) => `{"agent_name":${deep}}`],
];

const remaining = async (): Promise<unknown> => (await call('GET', '/auth/credits', { key: account.key })).json['data'];

describe('a body nested too deeply', () => {
  it.each(bodies)(
    'in %s of %s is answered 400 that says the limit, and nothing is charged',
    async (_what, path, body) => {
      const before = await remaining();
      // Bodies of strangers may not be as long.
      for (const levels of [101, 5_000, 20_000, ...(path.startsWith('/agent') ? [] : [300_000])]) {
        const reply = await call('POST', path, { key: account.key, rawBody: body(nested(levels)) });
        expect([levels, reply.status]).toEqual([levels, 400]);
        const message: unknown = expect.stringMatching(/100 levels.*Flatten/);
        expect(reply.json).toEqual({ status: 'failure', message, ...toldError('invalid_json') });
      }
      expect(await remaining()).toEqual(before);
    },
  );

  it('is not what brackets in a text are', async () => {
    const reply = await call('POST', '/search', { key: account.key, body: { query: `convert ${'['.repeat(300)}` } });
    expect(reply.status).toBe(200);
  });

  it('leaves 90 levels to those who need them', async () => {
    const rawBody = `{${tool},"parameters":{"expression":"1 + 1"},"zz":${nested(90)}}`;
    const reply = await call('POST', '/tools/execute', { key: account.key, rawBody });
    expect([reply.status, reply.json['success']]).toEqual([200, true]);
  });
});
