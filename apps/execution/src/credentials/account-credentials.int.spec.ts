import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '@capability-router/kernel';
import {
  assertion,
  ownPath,
  reasonOf,
  startCredentialsWorld,
  type CredentialsWorld,
} from '../test-support/credentials-world.js';
import { forgetCredentials } from './forget-credentials.js';

let world: CredentialsWorld;
beforeAll(async () => {
  world = await startCredentialsWorld();
}, 60_000);
afterAll(() => world.stop());
beforeEach(() => world.reset());

describe('credentials of an account', () => {
  it('are used for its own calls only, on connections of their own', async () => {
    const [anna, ben, nobody] = [assertion(), assertion(), assertion()];
    await world.put(ownPath('mail'), { token: 'sesame-anna' }, anna);
    await world.put(ownPath('mail'), { token: 'sesame-ben' }, ben);
    const sockets = new Map<string, Set<number | undefined>>();
    world.provider.listener = ({ headers, socket }, response) => {
      const name = headers.authorization ?? '';
      sockets.set(name, (sockets.get(name) ?? new Set()).add(socket.remotePort));
      response.end('{"ok":true}');
    };
    for (const account of [anna, ben, anna, ben]) {
      expect(reasonOf(await world.call('mail.read.get.v1', account))).toBe('result.valid');
    }
    const refused = await world.call('mail.read.get.v1', nobody);
    expect(refused.body).toMatchObject({ execution_outcome: { reason_code: 'oauth_signin_required' }, cost: 0 });
    expect(JSON.stringify(refused.body)).toContain('/api/v1/auth/provider-credentials/mail');
    expect([...sockets.keys()]).toEqual(['Bearer sesame-anna', 'Bearer sesame-ben']);
    const [ofAnna, ofBen] = [...sockets.values()].map((ports) => [...ports]);
    expect(ofAnna?.filter((port) => ofBen?.includes(port))).toEqual([]);

    const shown = await world.execution.send('GET', ownPath('mail'), undefined, anna);
    expect(shown.body['data']).toEqual({
      provider_id: 'mail',
      accepts: [{ auth: 'bearer', fields: ['token'] }],
      fields: [{ field: 'token', set_at: expect.stringMatching(/Z$/) }],
    });
    const listed = await world.execution.send('GET', '/api/v1/auth/provider-credentials', undefined, nobody);
    expect(listed.body['data']).toEqual({ items: [] });
    await world.execution.send('DELETE', ownPath('mail'), undefined, nobody);
    expect(reasonOf(await world.call('mail.read.get.v1', anna))).toBe('result.valid');
    await world.execution.send('DELETE', ownPath('mail'), undefined, anna);
    expect(reasonOf(await world.call('mail.read.get.v1', anna))).toBe('oauth_signin_required');
    expect(reasonOf(await world.call('mail.read.get.v1', ben))).toBe('result.valid');
  });

  it('get access tokens of their own, also where two have set the same, and none after they are deleted', async () => {
    const [anna, ben] = [assertion(), assertion()];
    const client = { client_id: 'shared', client_secret: 'sesame-secret' };
    let issued = 0;
    world.provider.listener = ({ url }, response) => {
      response.setHeader('content-type', 'application/json');
      if (url !== '/token') response.end('{"ok":true}');
      else
        response.end(
          JSON.stringify({ access_token: `token-${(issued += 1)}`, token_type: 'Bearer', expires_in: 3_600 }),
        );
    };
    const called = (): unknown[] =>
      world.provider.requests.filter(({ url }) => url !== '/token').map(({ headers }) => headers.authorization);
    for (const account of [anna, ben]) {
      await world.put(ownPath('drive'), client, account);
      await world.call('drive.list.get.v1', account);
      await world.call('drive.list.get.v1', account);
    }
    expect(called()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2']);
    await world.put(ownPath('drive'), client, anna);
    await world.call('drive.list.get.v1', anna);
    expect(called().at(-1)).toBe('Bearer token-3');
    await world.execution.send('DELETE', ownPath('drive'), undefined, anna);
    expect(reasonOf(await world.call('drive.list.get.v1', anna))).toBe('oauth_signin_required');
  });

  it('have MCP sessions of their own, which are not used again once the credential was replaced', async () => {
    const [anna, ben] = [assertion(), assertion()];
    const uses: string[] = [];
    let sessions = 0;
    world.provider.listener = (request, response) => {
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
    await world.put(ownPath('notes'), { token: 'sesame-anna' }, anna);
    await world.put(ownPath('notes'), { token: 'sesame-ben' }, ben);
    for (const account of [anna, ben, anna, ben]) {
      expect(reasonOf(await world.call('notes.find.get.v1', account))).toBe('result.valid');
    }
    await world.put(ownPath('notes'), { token: 'sesame-anna-2' }, anna);
    expect(reasonOf(await world.call('notes.find.get.v1', anna))).toBe('result.valid');
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
    await world.put(ownPath('mail'), { token: 'sesame-anna' }, account);
    await world.call('mail.read.get.v1', account, world.replica);
    const { pool } = world.execution.database;
    await pool.query('INSERT INTO erased_accounts (account_id, erased_at) VALUES ($1, now())', [account.accountId]);
    expect(await forgetCredentials(pool, account.accountId)).toBe(1);
    await world.untilRefused('mail.read.get.v1', account);
    expect((await world.put(ownPath('mail'), { token: 'sesame-anna' }, account)).status).toBe(404);
    expect(await forgetCredentials(pool, account.accountId)).toBe(0);
  });
});
