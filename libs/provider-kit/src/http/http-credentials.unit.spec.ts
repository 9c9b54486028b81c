import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HttpBinding } from '@capability-router/contracts';
import type { ProviderAnswer } from '../provider-adapter.js';
import { credentialOf, echo, HttpStage } from '../test-support/http-stage.js';
import { provider } from '../test-support/provider-request.js';
import { sendJson } from '../test-support/stub-server.js';

let stage: HttpStage;
beforeAll(async () => {
  stage = await HttpStage.start();
});
afterEach(() => stage.reset());
afterAll(() => stage.stop());

const call = (...parts: Parameters<HttpStage['call']>): Promise<ProviderAnswer> => stage.call(...parts);

describe('a credential', () => {
  it.each<[string, HttpBinding['auth'], Record<string, string>, object]>([
    [
      'api key in a header',
      { kind: 'api_key', in: 'header', name: 'X-Key', prefix: 'Key ' },
      { api_key: 'sesame-1' },
      { 'x-key': 'Key [redacted]' },
    ],
    ['bearer token', { kind: 'bearer' }, { token: 'sesame-2' }, { authorization: 'Bearer [redacted]' }],
    ['basic', { kind: 'basic' }, { username: 'u', password: 'sesame-3' }, { authorization: 'Basic [redacted]' }],
  ])('(%s) is sent, and taken out of what comes back', async (_name, auth, fields, headers) => {
    let seen: IncomingMessage['headers'] = {};
    stage.listener = (request, response) => {
      seen = request.headers;
      echo(request, response);
    };
    const answer = await call({ auth }, {}, {}, stage.adapterWith(credentialOf(fields)));
    expect(answer).toMatchObject({ kind: 'answered', data: { headers } });
    expect(Object.values(seen).join()).toMatch(/sesame|dTpzZXNhbWUtMw==/);
    expect(JSON.stringify(answer)).not.toMatch(/sesame|dTpzZXNhbWUtMw==/);
  });

  it('(api key in the query) is sent, and a parameter of that name does not replace it', async () => {
    stage.listener = echo;
    const auth = { kind: 'api_key', in: 'query', name: 'key' } as const;
    const answer = await call({ auth }, { key: 'mine' }, {}, stage.adapterWith(credentialOf({ api_key: 'sesame-4' })));
    expect(stage.server.requests.at(-1)).toBe('GET /?key=sesame-4');
    expect(answer).toMatchObject({ data: { url: '/?key=[redacted]' } });
  });

  it('that is not there, or not whole, ends the call before anything is sent', async () => {
    const before = stage.server.requests.length;
    for (const adapter of [stage.adapterWith(), stage.adapterWith(credentialOf({ username: 'u' }))]) {
      const answer = await call({ auth: { kind: 'basic' } }, {}, {}, adapter);
      expect(answer).toMatchObject({ fault: 'signin_required', message: expect.stringContaining('demo') });
    }
    expect(stage.server.requests.length).toBe(before);
  });

  it('is found where its characters were escaped, in a type of content, and as a user name without a password', async () => {
    const escaped = (text: string): string =>
      [...text].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');
    const bearer = stage.adapterWith(credentialOf({ token: 'sesame-6' }));
    stage.listener = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"you":"${escaped('sesame-6')}"}`);
    expect(await call({ auth: { kind: 'bearer' } }, {}, {}, bearer)).toMatchObject({ data: { you: '[redacted]' } });
    stage.listener = (_request, response) => response.writeHead(200, { 'content-type': 'image/sesame-6' }).end('x');
    expect(await call({ auth: { kind: 'bearer' } }, {}, {}, bearer)).toMatchObject({
      message: 'The provider answered with image/[redacted], which is not a result.',
    });
    const asUser = stage.adapterWith(credentialOf({ username: 'sesame-7', password: '' }));
    stage.listener = (_request, response) => sendJson(response, { you: 'sesame-7' });
    expect(await call({ auth: { kind: 'basic' } }, {}, {}, asUser)).toMatchObject({ data: { you: '[redacted]' } });
  });

  it('of an account is used for its calls only, and for none where nobody is known to call', async () => {
    stage.listener = (request, response) => sendJson(response, { port: request.socket.remotePort });
    const { channels, adapter } = stage.adapterWithAll({
      demo: { fields: { token: 'sesame-of-all' }, version: '0' },
      'demo/anna': { fields: { token: 'sesame-anna' }, version: '1' },
      'demo/ben': { fields: { token: 'sesame-ben' }, version: '2' },
    });
    const definition = { ...provider(), credential: 'account' as const };
    const as = (accountId?: string) =>
      call(
        { auth: { kind: 'bearer' } },
        {},
        { provider: definition, ...(accountId === undefined ? {} : { accountId }) },
        {
          adapter,
          channels,
        },
      );
    const ports: unknown[] = [];
    for (const name of ['anna', 'ben', 'anna', 'ben']) {
      const answer = await as(name);
      ports.push(answer.kind === 'answered' ? answer.data : answer);
    }
    const [anna, ben, annaAgain, benAgain] = ports;
    expect(anna).toEqual({ port: expect.any(Number) });
    expect([annaAgain, benAgain]).toEqual([anna, ben]);
    expect(anna).not.toEqual(ben);
    for (const nobody of [undefined, 'carla']) {
      expect(await as(nobody)).toMatchObject({ fault: 'signin_required' });
    }
  });

  it('is not repeated in an error', async () => {
    stage.listener = (_request, response) => sendJson(response, { message: 'the key sesame-5 is wrong' }, 403);
    const answer = await call(
      { auth: { kind: 'bearer' } },
      {},
      {},
      stage.adapterWith(credentialOf({ token: 'sesame-5' })),
    );
    expect(answer).toMatchObject({
      fault: 'auth_or_permission',
      message: 'The provider answered 403 Forbidden. It says: "the key [redacted] is wrong"',
    });
  });
});

describe('an OAuth2 client', () => {
  const auth = (): HttpBinding['auth'] => ({
    kind: 'oauth2_client_credentials',
    tokenUrl: `${stage.server.origin}/token`,
    scopes: ['read', 'write'],
  });
  const client = credentialOf({ client_id: 'id', client_secret: 'sesame-secret' });
  let issued: string[] = [];
  let asked: object = {};
  let accepted: (token: string) => boolean = () => true;
  /** Gives out tokens and accepts some. */
  const guarded: RequestListener = (request, response) => {
    if (request.url !== '/token') {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      if (accepted(token)) sendJson(response, { ok: true });
      else response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    void text(request).then((body) => {
      asked = { authorization: request.headers.authorization, body };
      issued.push(`token-${issued.length + 1}`);
      setTimeout(
        () => sendJson(response, { access_token: issued.at(-1), token_type: 'Bearer', expires_in: 3_600 }),
        20,
      );
    });
  };
  afterEach(() => {
    issued = [];
    accepted = () => true;
  });

  it('gets one token for many calls at once, and uses it again', async () => {
    stage.listener = guarded;
    const parts = stage.adapterWith(client);
    const first = await Promise.all(Array.from({ length: 10 }, () => call({ auth: auth() }, {}, {}, parts)));
    expect(first.map(({ kind }) => kind)).toEqual(Array(10).fill('answered'));
    await call({ auth: auth() }, {}, {}, parts);
    expect(issued).toEqual(['token-1']);
    expect(asked).toEqual({
      authorization: `Basic ${Buffer.from('id:sesame-secret').toString('base64')}`,
      body: 'scope=read+write&grant_type=client_credentials',
    });
  });

  it('gets a new one when the kept one is not accepted any more, also for a call that is not safe to repeat', async () => {
    stage.listener = guarded;
    const parts = stage.adapterWith(client);
    await call({ auth: auth() }, {}, {}, parts);
    accepted = (token) => token === 'token-2';
    expect(await call({ auth: auth(), method: 'POST' }, {}, {}, parts)).toMatchObject({ data: { ok: true } });
    accepted = () => false;
    expect(await call({ auth: auth() }, {}, {}, parts)).toMatchObject({ fault: 'auth_or_permission', statusCode: 401 });
    expect(issued).toEqual(['token-1', 'token-2', 'token-3']);
  });

  it.each<[string, RequestListener, object]>([
    [
      'refuses the client',
      (_request, response) => sendJson(response, { error: 'invalid_client' }, 401),
      { fault: 'auth_or_permission' },
    ],
    ['fails', (_request, response) => sendJson(response, {}, 503), { fault: 'http_error', statusCode: 503 }],
    ['answers garbage', (_request, response) => response.end('<html>'), { fault: 'auth_or_permission' }],
    ['hangs', () => undefined, { fault: 'timeout' }],
  ])('whose token endpoint %s ends the call with that, without calling the tool', async (name, tokens, expected) => {
    let called = 0;
    stage.listener = (request, response) => {
      if (request.url === '/token') tokens(request, response);
      else called += 1;
    };
    const within = name === 'hangs' ? { deadlineMs: 300 } : {};
    const answer = await call({ auth: auth(), method: 'POST' }, {}, within, stage.adapterWith(client));
    expect(answer).toMatchObject({ kind: 'failed', ...expected });
    expect(JSON.stringify(answer)).not.toContain('sesame');
    expect(called).toBe(0);
  });
});
