/**
 * This file is long because every rule about credentials is tried on one pair of replicas in front of one real provider,
 * which take longer to start than all of it to run.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountAssertion } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newAccountId, newExecutionId, systemClock, type JsonObject } from '@capability-router/kernel';
import { startKeyedProvider, type KeyedProvider } from '../test-support/keyed-provider.js';
import { toolContract } from '../test-support/tool-contract.js';
import { startExecution, type Answer, type RunningExecution } from '../test-support/running-execution.js';
import { forgetCredentials } from './forget-credentials.js';

let provider: KeyedProvider;
let execution: RunningExecution;
let replica: RunningExecution;
const logged: string[] = [];
const onLog = (line: string): void => void logged.push(line);

const assertion = (over: Partial<AccountAssertion> = {}): AccountAssertion => ({
  accountId: newAccountId(systemClock.nowMs()),
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: [],
  ...over,
});
const operator = assertion({ scopes: ['admin'] });

beforeAll(async () => {
  provider = await startKeyedProvider();
  const ownAccounts = { credential: 'account' as const };
  const oauth = {
    auth: { kind: 'oauth2_client_credentials' as const, tokenUrl: `${provider.origin}/token`, scopes: [] },
  };
  const open = { auth: { kind: 'none' as const } };
  const tools = [
    provider.tool('weather', 'now', {}),
    provider.tool('weather', 'basic', { auth: { kind: 'basic' } }),
    provider.tool('other', 'now', {}),
    provider.tool('open', 'now', open),
    provider.tool('mail', 'read', {}, ownAccounts),
    provider.tool('drive', 'list', oauth, ownAccounts),
    toolContract({
      ...provider.tool('notes', 'find', {}, ownAccounts),
      binding: {
        kind: 'mcp',
        server: { transport: 'streamable_http', url: `${provider.origin}/mcp` },
        tool: 'find',
        auth: { kind: 'bearer' },
      },
    }),
  ];
  execution = await startExecution(tools, undefined, {}, undefined, { onLog });
  replica = await execution.replica({ onLog });
}, 60_000);
afterAll(async () => {
  await replica.stop();
  await execution.stop();
  await provider.close();
});
beforeEach(() => {
  provider.requests.length = 0;
  provider.listener = (_request, response) => response.end('{"ok":true}');
  execution.billing.available = 10_000_000n;
});

const adminPath = (providerId: string): string => `/admin/v1/providers/${providerId}/credentials`;
const ownPath = (providerId: string): string => `/api/v1/auth/provider-credentials/${providerId}`;
const put = (path: string, fields: object, as: AccountAssertion, on = execution): Promise<Answer> =>
  on.send('PUT', path, { fields }, as);
const call = (toolId: string, account?: AccountAssertion, on = execution): Promise<Answer> =>
  on.call({ tool_id: toolId, parameters: { city: 'Bern' } }, account === undefined ? {} : { account });
const reasonOf = ({ body }: Answer): unknown => (body['execution_outcome'] as JsonObject)['reason_code'];
/** The session of an MCP server is ended in the background, perhaps in the test after its own: that calls no tool. */
const callsOfTools = (): IncomingMessage[] => provider.requests.filter(({ url }) => url !== '/mcp');
const shownTo = (): unknown[] => callsOfTools().map(({ headers }) => headers.authorization);

/** Until the other replica has heard of a change. */
async function untilReplica(heard: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await heard()) return;
    await delay(50);
  }
  throw new Error('the other replica never heard of it');
}

const untilRefused = (toolId: string, account: AccountAssertion): Promise<void> =>
  untilReplica(async () => reasonOf(await call(toolId, account, replica)) === 'oauth_signin_required');

describe('credentials of the deployment', () => {
  it('are shown to the provider once set, replaced on every replica, and gone on every replica once deleted', async () => {
    const account = assertion();
    expect(reasonOf(await call('weather.now.get.v1', account))).toBe('oauth_signin_required');
    expect(await put(adminPath('weather'), { token: 'sesame-one' }, operator)).toMatchObject({ status: 200 });
    for (const on of [execution, replica]) {
      expect(reasonOf(await call('weather.now.get.v1', account, on))).toBe('result.valid');
    }
    await put(adminPath('weather'), { token: 'sesame-two' }, operator);
    await call('weather.now.get.v1', account);
    expect(shownTo()).toEqual(['Bearer sesame-one', 'Bearer sesame-one', 'Bearer sesame-two']);
    await untilReplica(async () => {
      await call('weather.now.get.v1', account, replica);
      return shownTo().at(-1) === 'Bearer sesame-two';
    });
    expect((await execution.send('DELETE', adminPath('weather'), undefined, operator)).body).toMatchObject({
      data: { deleted: true },
    });
    expect(reasonOf(await call('weather.now.get.v1', account))).toBe('oauth_signin_required');
    await untilRefused('weather.now.get.v1', account);
    expect((await execution.send('DELETE', adminPath('weather'), undefined, operator)).body).toMatchObject({
      data: { deleted: false },
    });
  });

  it('that are missing end a call before anything is reserved: recorded, not charged, nothing sent', async () => {
    const executionId = newExecutionId(systemClock.nowMs());
    const holds = execution.billing.holds.length;
    const answer = await execution.call({ tool_id: 'other.now.get.v1', parameters: { city: 'Bern' } }, { executionId });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: false,
        cost: 0,
        execution_outcome: { outcome: 'refused', reason_code: 'oauth_signin_required' },
      },
    });
    const events = await readStream(execution.database.pool, executionId);
    expect(events.map(({ type }) => type)).toEqual(['ExecutionRefused']);
    expect(execution.billing.holds).toHaveLength(holds);
    expect(provider.requests).toEqual([]);
  });

  it('show which fields are set, by which key and since when, and never a value', async () => {
    const set = await put(adminPath('weather'), { username: 'sesame-user', password: 'sesame-pass' }, operator);
    const field = (name: string) => ({
      field: name,
      key_id: 'k1',
      set_at: expect.stringMatching(/Z$/),
      sealed_at: expect.stringMatching(/Z$/),
    });
    const fields = [field('password'), field('username')];
    expect(set.body['data']).toEqual({ provider_id: 'weather', fields });
    const got = await execution.send('GET', adminPath('weather'), undefined, operator);
    expect(got.body['data']).toEqual({
      provider_id: 'weather',
      credential: 'deployment',
      accepts: [
        { auth: 'basic', fields: ['username', 'password'] },
        { auth: 'bearer', fields: ['token'] },
      ],
      fields,
    });
    const listed = await execution.send('GET', '/admin/v1/provider-credentials?limit=500', undefined, operator);
    expect(listed.body['data']).toMatchObject({ items: [{ provider_id: 'weather', fields }], current_key_id: 'k1' });
    for (const answer of [set, got, listed]) expect(JSON.stringify(answer.body)).not.toContain('sesame');
    expect(reasonOf(await call('weather.basic.get.v1'))).toBe('result.valid');
    // The other tool of the provider wants another credential.
    expect(reasonOf(await call('weather.now.get.v1'))).toBe('oauth_signin_required');
  });

  it.each<[string, string, unknown, AccountAssertion, number]>([
    ['no operator', adminPath('weather'), { fields: { token: 't' } }, assertion(), 403],
    ['a provider that is not there', adminPath('nobody'), { fields: { token: 't' } }, operator, 404],
    ['a provider whose accounts bring theirs', adminPath('mail'), { fields: { token: 't' } }, operator, 409],
    ['an unknown field', adminPath('weather'), { fields: { api_key: 'sesame-x' } }, operator, 422],
    ['a header of its own', adminPath('weather'), { fields: { token: 'sesame\r\nx: y' } }, operator, 422],
    ['a provider that wants none', adminPath('open'), { fields: { token: 'sesame-x' } }, operator, 422],
    ['no body', adminPath('weather'), undefined, operator, 422],
    [
      'an account, for a provider of the deployment’s',
      ownPath('weather'),
      { fields: { token: 't' } },
      assertion(),
      409,
    ],
    ['an account, for one that is not there', ownPath('nobody'), { fields: { token: 't' } }, assertion(), 404],
    [
      'a token that was handed on',
      ownPath('mail'),
      { fields: { token: 't' } },
      assertion({ credentialType: 'delegation_token' }),
      403,
    ],
  ])('are refused from, or with, %s', async (_name, path, body, as, status) => {
    const answer = await execution.send('PUT', path, body, as);
    expect({ status: answer.status, message: answer.body['message'] }).toEqual({
      status,
      message: expect.stringMatching(/\S/),
    });
    expect(JSON.stringify(answer.body)).not.toContain('sesame');
  });

  it('name what is allowed instead of an unknown field', async () => {
    const { body } = await put(adminPath('weather'), { api_key: 'sesame-x' }, operator);
    expect(body).toMatchObject({
      message: expect.stringContaining('"username", "password", "token"'),
      detail: [{ type: 'extra_forbidden', loc: ['body', 'fields', 'api_key'] }],
    });
  });
});

describe('credentials of an account', () => {
  it('are used for its own calls only, on connections of their own', async () => {
    const [anna, ben, nobody] = [assertion(), assertion(), assertion()];
    await put(ownPath('mail'), { token: 'sesame-anna' }, anna);
    await put(ownPath('mail'), { token: 'sesame-ben' }, ben);
    const sockets = new Map<string, Set<number | undefined>>();
    provider.listener = ({ headers, socket }, response) => {
      const name = headers.authorization ?? '';
      sockets.set(name, (sockets.get(name) ?? new Set()).add(socket.remotePort));
      response.end('{"ok":true}');
    };
    for (const account of [anna, ben, anna, ben]) {
      expect(reasonOf(await call('mail.read.get.v1', account))).toBe('result.valid');
    }
    const refused = await call('mail.read.get.v1', nobody);
    expect(refused.body).toMatchObject({ execution_outcome: { reason_code: 'oauth_signin_required' }, cost: 0 });
    expect(JSON.stringify(refused.body)).toContain('/api/v1/auth/provider-credentials/mail');
    expect([...sockets.keys()]).toEqual(['Bearer sesame-anna', 'Bearer sesame-ben']);
    const [ofAnna, ofBen] = [...sockets.values()].map((ports) => [...ports]);
    expect(ofAnna?.filter((port) => ofBen?.includes(port))).toEqual([]);

    const shown = await execution.send('GET', ownPath('mail'), undefined, anna);
    expect(shown.body['data']).toEqual({
      provider_id: 'mail',
      accepts: [{ auth: 'bearer', fields: ['token'] }],
      fields: [{ field: 'token', set_at: expect.stringMatching(/Z$/) }],
    });
    const listed = await execution.send('GET', '/api/v1/auth/provider-credentials', undefined, nobody);
    expect(listed.body['data']).toEqual({ items: [] });
    await execution.send('DELETE', ownPath('mail'), undefined, nobody);
    expect(reasonOf(await call('mail.read.get.v1', anna))).toBe('result.valid');
    await execution.send('DELETE', ownPath('mail'), undefined, anna);
    expect(reasonOf(await call('mail.read.get.v1', anna))).toBe('oauth_signin_required');
    expect(reasonOf(await call('mail.read.get.v1', ben))).toBe('result.valid');
  });

  it('get access tokens of their own, also where two have set the same, and none after they are deleted', async () => {
    const [anna, ben] = [assertion(), assertion()];
    const client = { client_id: 'shared', client_secret: 'sesame-secret' };
    let issued = 0;
    provider.listener = ({ url }, response) => {
      response.setHeader('content-type', 'application/json');
      if (url !== '/token') response.end('{"ok":true}');
      else
        response.end(
          JSON.stringify({ access_token: `token-${(issued += 1)}`, token_type: 'Bearer', expires_in: 3_600 }),
        );
    };
    const called = (): unknown[] =>
      provider.requests.filter(({ url }) => url !== '/token').map(({ headers }) => headers.authorization);
    for (const account of [anna, ben]) {
      await put(ownPath('drive'), client, account);
      await call('drive.list.get.v1', account);
      await call('drive.list.get.v1', account);
    }
    expect(called()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2']);
    await put(ownPath('drive'), client, anna);
    await call('drive.list.get.v1', anna);
    expect(called().at(-1)).toBe('Bearer token-3');
    await execution.send('DELETE', ownPath('drive'), undefined, anna);
    expect(reasonOf(await call('drive.list.get.v1', anna))).toBe('oauth_signin_required');
  });

  it('have MCP sessions of their own, which are not used again once the credential was replaced', async () => {
    const [anna, ben] = [assertion(), assertion()];
    const uses: string[] = [];
    let sessions = 0;
    provider.listener = (request, response) => {
      void text(request).then((body) => {
        if (request.method !== 'POST') return void response.writeHead(200).end();
        const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params: JsonObject };
        const session = String(request.headers['mcp-session-id'] ?? `s${(sessions += 1)}`);
        if (method === 'tools/call') uses.push(`${session} ${request.headers.authorization}`);
        const result =
          method === 'initialize'
            ? {
                protocolVersion: params['protocolVersion'],
                capabilities: { tools: {} },
                serverInfo: { name: 'x', version: '1' },
              }
            : { content: [{ type: 'text', text: 'found' }] };
        response.writeHead(id === undefined ? 202 : 200, {
          'content-type': 'application/json',
          'mcp-session-id': session,
        });
        response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    };
    await put(ownPath('notes'), { token: 'sesame-anna' }, anna);
    await put(ownPath('notes'), { token: 'sesame-ben' }, ben);
    for (const account of [anna, ben, anna, ben]) {
      expect(reasonOf(await call('notes.find.get.v1', account))).toBe('result.valid');
    }
    await put(ownPath('notes'), { token: 'sesame-anna-2' }, anna);
    expect(reasonOf(await call('notes.find.get.v1', anna))).toBe('result.valid');
    expect(uses).toEqual([
      's1 Bearer sesame-anna',
      's2 Bearer sesame-ben',
      's1 Bearer sesame-anna',
      's2 Bearer sesame-ben',
      's3 Bearer sesame-anna-2',
    ]);
  }, 60_000);

  it('go with the account, and cannot be set again', async () => {
    const account = assertion();
    await put(ownPath('mail'), { token: 'sesame-anna' }, account);
    await call('mail.read.get.v1', account, replica);
    const { pool } = execution.database;
    await pool.query('INSERT INTO erased_accounts (account_id, erased_at) VALUES ($1, now())', [account.accountId]);
    expect(await forgetCredentials(pool, account.accountId)).toBe(1);
    await untilRefused('mail.read.get.v1', account);
    expect((await put(ownPath('mail'), { token: 'sesame-anna' }, account)).status).toBe(404);
    expect(await forgetCredentials(pool, account.accountId)).toBe(0);
  });
});

describe('a sealed credential', () => {
  it('that somebody moved to another row of the database is not sent, and says so in the log', async () => {
    await put(adminPath('weather'), { token: 'sesame-weather' }, operator);
    await put(adminPath('other'), { token: 'sesame-other' }, operator);
    await execution.database.pool.query(
      `UPDATE provider_credentials o SET sealed_fields = w.sealed_fields, revision = w.revision
         FROM provider_credentials w WHERE o.provider_id = 'other' AND w.provider_id = 'weather'`,
    );
    const answer = await call('other.now.get.v1', undefined, replica);
    expect(answer.body).toMatchObject({ cost: 0, execution_outcome: { reason_code: 'transport.execution_failed' } });
    expect(callsOfTools().map(({ method, url, headers }) => `${method} ${url} ${headers.authorization}`)).toEqual([]);
    expect(logged.join('')).toContain('is not authentic');
    await execution.send('DELETE', adminPath('other'), undefined, operator);
  });
});
