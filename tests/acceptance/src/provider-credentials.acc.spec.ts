import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, settledUsageOf } from './support/audit.js';
import { adminKey, nextOrigin } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { call, send, type Reply } from './support/http.js';
import { asObject, type JsonObject } from './support/json.js';
import { listen } from './support/listen.js';

const suffix = randomBytes(6).toString('hex').replaceAll(/\d/g, 'k');
/** Called with the deployment's credentials, by the command line's, and with those of accounts. */
const [shared, byCommand, personal] = [`zs${suffix}`, `zc${suffix}`, `zp${suffix}`];
const caprouter = fileURLToPath(new URL('../../../tools/cli/bin/caprouter.js', import.meta.url));
/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;
/** Enough turns that every pair of replicas of gateway and execution is asked. */
const TURNS = 8;

let server: Server;
let anna: TestAccount;
let ben: TestAccount;
const requests: IncomingMessage[] = [];

const toolOf = (provider: string): string => `${provider}.things.get.v1`;
const callTool = (provider: string, account: TestAccount): Promise<Reply> =>
  execute(account.key, { toolId: toolOf(provider), parameters: {} });
const shown = (): unknown[] => requests.map(({ headers }) => headers.authorization);
const secret = (name: string): string => `${name}-${randomBytes(12).toString('hex')}`;

beforeAll(async () => {
  [anna, ben] = await Promise.all([newAccount(), newAccount()]);
  server = createServer((request, response) => {
    requests.push(request);
    const body = JSON.stringify({ you_are: request.headers.authorization });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  await listen(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/things`;
  for (const provider of [shared, byCommand, personal]) {
    await admin('PUT', `/providers/${provider}`, {
      provider_id: provider,
      name: { en: provider },
      description: { en: 'Things.' },
      egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
      ...(provider === personal ? { credential: 'account' } : {}),
      tools: [
        {
          tool_id: toolOf(provider),
          name: { en: provider },
          description: { en: 'A thing of a provider of the acceptance suite.' },
          parameters_schema: { type: 'object', additionalProperties: false, properties: {} },
          examples: [{ parameters: {} }],
          price: { amount_credits: '0.5' },
          binding: { kind: 'http', method: 'GET', url, auth: { kind: 'bearer' } },
        },
      ],
    });
  }
  await Promise.all([shared, byCommand, personal].map((provider) => refusedEverywhere(provider, anna)));
}, TIMEOUT_MS);

afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

/** On every replica the call ends before anything is sent, for want of a credential. */
function refusedEverywhere(provider: string, account: TestAccount): Promise<void> {
  return eventually(async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const reply = await callTool(provider, account);
      expect(reply.json).toMatchObject({
        success: false,
        cost: 0,
        execution_outcome: { reason_code: 'oauth_signin_required' },
      });
    }
  });
}

/** On every replica the provider is shown this. */
function shownEverywhere(provider: string, account: TestAccount, authorization: string): Promise<void> {
  return eventually(async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const reply = await callTool(provider, account);
      expect(reply.json).toMatchObject({ success: true });
      expect(shown().at(-1)).toBe(authorization);
      expect(reply.text).not.toContain(authorization.replace('Bearer ', ''));
    }
  });
}

const envelope = { status: 'success', message: expect.any(String), status_code: 0 };

describe("the deployment's credentials", () => {
  const path = `/admin/v1/providers/${shared}/credentials`;

  it('are set, shown to the provider, replaced, sealed anew and deleted, on every replica, without a restart', async () => {
    const [first, second] = [secret('first'), secret('second')];
    const set = await send('PUT', path, { key: adminKey, body: { fields: { token: first } } });
    expect({ status: set.status, body: set.json }).toEqual({
      status: 200,
      body: {
        ...envelope,
        data: {
          provider_id: shared,
          fields: [
            { field: 'token', key_id: expect.any(String), set_at: expect.any(String), sealed_at: expect.any(String) },
          ],
        },
      },
    });
    await shownEverywhere(shared, anna, `Bearer ${first}`);
    const reply = await callTool(shared, anna);
    expect(reply.json).toMatchObject({ result: { data: { you_are: 'Bearer [redacted]' } }, cost: 0.5 });
    const charged = await settledUsageOf(anna.key, reply.json['execution_id']);
    expect(charged).toMatchObject({ charge_outcome: 'charged' });

    await admin('PUT', `/providers/${shared}/credentials`, { fields: { token: second } });
    await shownEverywhere(shared, anna, `Bearer ${second}`);
    expect(await admin('POST', '/provider-credentials:rotate')).toMatchObject({ unreadable_count: 0 });
    await shownEverywhere(shared, anna, `Bearer ${second}`);
    const got = await send('GET', path, { key: adminKey });
    expect(got.json).toMatchObject({ data: { credential: 'deployment', fields: [{ field: 'token' }] } });
    for (const { text } of [set, got]) expect(text).not.toMatch(new RegExp(`${first}|${second}`));

    expect(await admin('DELETE', `/providers/${shared}/credentials`)).toEqual({ provider_id: shared, deleted: true });
    await refusedEverywhere(shared, anna);
    const sent = requests.length;
    const refused = await callTool(shared, anna);
    expect(requests).toHaveLength(sent);
    const usage = await settledUsageOf(anna.key, refused.json['execution_id']);
    expect(usage).toMatchObject({ charge_outcome: 'failed_not_charged', reason_code: 'oauth_signin_required' });
    const charges = await listCharges(anna.key);
    expect(charges.filter((entry) => entry['execution_id'] === refused.json['execution_id'])).toEqual([]);
  }, 180_000);

  it.each<[string, string, JsonObject, number]>([
    ['an unknown field', shared, { fields: { api_key: 'sesame-9' } }, 422],
    ['a line break', shared, { fields: { token: 'sesame\r\nx-admin: 1' } }, 422],
    ['a number', shared, { fields: { token: 1 } }, 422],
    ['9,000 characters', shared, { fields: { token: 's'.repeat(9_000) } }, 422],
    ['no fields', shared, {}, 422],
    ['a provider that is not there', `zn${suffix}`, { fields: { token: 'sesame-9' } }, 404],
    ['a provider that accounts bring theirs for', personal, { fields: { token: 'sesame-9' } }, 409],
  ])('are refused with %s, and nothing of them is repeated', async (_name, provider, body, status) => {
    const reply = await send('PUT', `/admin/v1/providers/${provider}/credentials`, { key: adminKey, body });
    expect({ status: reply.status, message: reply.json['message'] }).toEqual({
      status,
      message: expect.stringMatching(/\S/),
    });
    expect(reply.text).not.toMatch(/sesame|ssssssss/);
    if (status === 422) expect(reply.json['detail']).toEqual([expect.objectContaining({ loc: expect.any(Array) })]);
  });

  it('are nothing for accounts without the scope', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: { fields: { token: 't' } } } : {};
      expect((await send(method, path, { key: anna.key, ...body })).status).toBe(403);
    }
    expect((await send('GET', '/admin/v1/provider-credentials', { key: anna.key })).status).toBe(403);
    expect((await send('POST', '/admin/v1/provider-credentials:rotate', { key: anna.key, body: {} })).status).toBe(403);
    expect((await send('GET', path)).status).toBe(401);
  });
});

describe('credentials of an account', () => {
  const path = `/auth/provider-credentials/${personal}`;

  it('are its own: the provider sees whose call it is, and another account sees and changes nothing of them', async () => {
    const tokens = { anna: secret('anna'), ben: secret('ben') };
    const unset = await callTool(personal, anna);
    expect(unset.text).toContain(`/api/v1${path}`);
    const set = await call('PUT', path, { key: anna.key, body: { fields: { token: tokens.anna } } });
    expect(set.json).toEqual({
      ...envelope,
      data: { provider_id: personal, fields: [{ field: 'token', set_at: expect.any(String) }] },
    });
    await shownEverywhere(personal, anna, `Bearer ${tokens.anna}`);
    await refusedEverywhere(personal, ben);
    expect((await call('GET', path, { key: ben.key })).json).toMatchObject({ data: { fields: [] } });
    expect((await call('DELETE', path, { key: ben.key })).json).toMatchObject({ data: { deleted: false } });

    await call('PUT', path, { key: ben.key, body: { fields: { token: tokens.ben } } });
    await shownEverywhere(personal, ben, `Bearer ${tokens.ben}`);
    await shownEverywhere(personal, anna, `Bearer ${tokens.anna}`);
    const [got, listed] = [
      await call('GET', path, { key: anna.key }),
      await call('GET', '/auth/provider-credentials', { key: anna.key }),
    ];
    expect(got.json).toMatchObject({ data: { accepts: [{ auth: 'bearer', fields: ['token'] }] } });
    expect(asObject(listed.json['data'])['items']).toEqual([
      { provider_id: personal, fields: [{ field: 'token', set_at: expect.any(String) }] },
    ]);
    for (const { text } of [set, got, listed]) expect(text).not.toContain(tokens.anna);

    expect((await call('DELETE', path, { key: anna.key })).json).toMatchObject({ data: { deleted: true } });
    await refusedEverywhere(personal, anna);
    await shownEverywhere(personal, ben, `Bearer ${tokens.ben}`);
  }, 180_000);

  it('are refused for a provider that has no use for them, and for one that is not there', async () => {
    const body = { fields: { token: 'sesame-9' } };
    expect((await call('PUT', `/auth/provider-credentials/${shared}`, { key: anna.key, body })).status).toBe(409);
    expect((await call('PUT', `/auth/provider-credentials/zn${suffix}`, { key: anna.key, body })).status).toBe(404);
    expect((await call('GET', `/auth/provider-credentials/${shared}`, { key: anna.key })).status).toBe(404);
    const unknown = await call('PUT', path, { key: anna.key, body: { fields: { password: 'sesame-9' } } });
    expect(unknown.status).toBe(422);
    expect(unknown.json['message']).toContain('"token"');
    expect(unknown.text).not.toContain('sesame');
    expect((await call('PUT', path, { body })).status).toBe(401);
  });
});

describe('caprouter credentials', () => {
  /** The program as an operator runs it. */
  const run = (args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}) =>
    new Promise<{ code: number | null; out: string; error: string }>((resolve, reject) => {
      const child = spawn(process.execPath, [caprouter, ...args], {
        env: { PATH: process.env['PATH'], CAPROUTER_GATEWAY_URL: nextOrigin(), CAPROUTER_API_KEY: adminKey, ...env },
      });
      const [out, error]: [string[], string[]] = [[], []];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString('utf8')));
      child.stderr.on('data', (chunk: Buffer) => error.push(chunk.toString('utf8')));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out: out.join(''), error: error.join('') }));
      child.stdin.end(input);
    });

  it('sets from standard input, lists, rotates and deletes, and the provider is shown what was set', async () => {
    const [first, second] = [secret('first'), secret('second')];
    const set = await run(['credentials', 'set', byCommand, '--field', 'token'], `${first}\n`);
    expect(set).toEqual({ code: 0, out: expect.stringContaining(`set: ${byCommand}  token  key `), error: '' });
    await shownEverywhere(byCommand, anna, `Bearer ${first}`);
    expect(await run(['credentials', 'set', byCommand], JSON.stringify({ token: second }))).toMatchObject({ code: 0 });
    await shownEverywhere(byCommand, anna, `Bearer ${second}`);

    const listed = await run(['credentials', 'list', '--json']);
    expect(JSON.parse(listed.out)).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ provider_id: byCommand })]),
    });
    expect(await run(['credentials', 'list', byCommand])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${byCommand}  token  key `),
    });
    expect(await run(['credentials', 'rotate'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('sealed with key'),
    });
    await shownEverywhere(byCommand, anna, `Bearer ${second}`);
    expect(await run(['credentials', 'delete', byCommand])).toMatchObject({ code: 0, out: `deleted: ${byCommand}\n` });
    await refusedEverywhere(byCommand, anna);
    expect(await run(['credentials', 'delete', byCommand])).toMatchObject({ code: 0, out: `${byCommand} had none\n` });
  }, 180_000);

  it.each<[string, string[], string, NodeJS.ProcessEnv, number, string]>([
    ['an unknown field', ['set', byCommand, '--field', 'api_key'], 'sesame-9', {}, 1, '"token"'],
    ['a provider that is not there', ['set', `zn${suffix}`, '--field', 'token'], 'sesame-9', {}, 1, '(404)'],
    ['a key without the scope', ['list'], '', { CAPROUTER_API_KEY: 'sk-nobody0123456789' }, 1, '(401)'],
    ['no key', ['list'], '', { CAPROUTER_API_KEY: '' }, 2, 'CAPROUTER_API_KEY'],
    ['no gateway', ['list'], '', { CAPROUTER_GATEWAY_URL: '' }, 2, 'CAPROUTER_GATEWAY_URL'],
    [
      'a gateway that is not there',
      ['list'],
      '',
      { CAPROUTER_GATEWAY_URL: 'http://127.0.0.1:9' },
      3,
      'was not reached',
    ],
    ['input that is no JSON', ['set', byCommand], 'sesame-9', {}, 2, '--field'],
    ['no input', ['set', byCommand, '--field', 'token'], '', {}, 2, 'empty'],
    ['a file that is not there', ['set', byCommand, '--file', '/no/such/file'], '', {}, 2, 'ENOENT'],
    ['a value on the command line', ['set', byCommand, 'sesame-9'], '', {}, 2, 'too many arguments'],
  ])('ends with its own code and a clear word for %s', async (_name, args, input, env, code, word) => {
    const ended = await run(['credentials', ...args], input, env);
    expect(ended).toEqual({ code, out: '', error: expect.stringContaining(word) });
    expect(ended.error).not.toMatch(/sesame|\n\s+at /);
  });
});
