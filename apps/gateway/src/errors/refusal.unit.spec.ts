import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_JSON_LEVELS, type ErrorCode } from '@capability-router/kernel';
import { keyOf, RunningGateway, unknownKey, validKey } from '../test-support/running-gateway.js';
import { toldError } from '../test-support/told-error.js';

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

describe('refusals', () => {
  it('answers an invalid key in the shape of each route, without contacting the service', async () => {
    await gateway.start();
    for (const key of ['', 'sk-short', 'nonsense', unknownKey]) {
      const search = await gateway.post('/api/v1/search', { query: 'weather' }, key);
      expect([search.status, await search.json()]).toEqual([
        401,
        {
          status: 'failure',
          status_code: 401,
          message: 'Invalid API key',
          query: 'weather',
          search_id: 'srch_failed',
          total: 0,
          results: [],
          ...toldError('invalid_api_key'),
        },
      ]);
      const call = await gateway.post('/api/v1/tools/execute', {}, key);
      expect([call.status, await call.json()]).toEqual([
        401,
        {
          status: 'failure',
          status_code: 401,
          message: 'Invalid API key',
          data: { guidance: expect.stringMatching(/.+/) },
          ...toldError('invalid_api_key'),
        },
      ]);
      const capability = await gateway.fetch('/api/v1/capabilities/weather.forecast', {}, key);
      expect([capability.status, await capability.json()]).toEqual([
        401,
        { status: 'failure', status_code: 401, message: 'Invalid API key', ...toldError('invalid_api_key') },
      ]);
      const credits = await gateway.fetch('/api/v1/auth/credits', {}, key);
      expect([credits.status, await credits.json()]).toEqual([
        401,
        {
          status: 'failure',
          status_code: 401,
          message: 'Invalid API key',
          data: null,
          ...toldError('invalid_api_key'),
        },
      ]);
    }
    expect(gateway.upstream.seen).toHaveLength(0);
    // Only the key that could have been valid was asked about, and its refusal is remembered.
    expect(gateway.identity.seen).toHaveLength(1);
  });

  it('answers an invalid key before a body it could not read', async () => {
    await gateway.start({ BODY_LIMIT_BYTES: '1024' });
    for (const body of ['{"query":', JSON.stringify({ query: 'x'.repeat(2_000) })]) {
      const answer = await gateway.post('/api/v1/search', body, '');
      expect([answer.status, await answer.json()]).toEqual([
        401,
        expect.objectContaining({ search_id: 'srch_failed' }),
      ]);
    }
    expect((await gateway.post('/api/v1/search', 'a', '', { 'content-type': 'text/plain' })).status).toBe(401);
  });

  it('answers bodies it cannot take with 400, 413 and 415 without contacting the service', async () => {
    await gateway.start({ BODY_LIMIT_BYTES: '1024' });
    const statuses = [
      await gateway.post('/api/v1/search', '{"query":'),
      await gateway.post('/api/v1/search', ''),
      await gateway.fetch('/api/v1/search', { method: 'POST' }),
      await gateway.post('/api/v1/search', JSON.stringify({ query: 'x'.repeat(2_000) })),
      await gateway.post('/api/v1/search', 'query=x', validKey, {
        'content-type': 'application/x-www-form-urlencoded',
      }),
      await gateway.post('/api/v1/search', '{"query":"x"}', validKey, { 'content-encoding': 'gzip' }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([400, 400, 400, 413, 415, 415]);
    const messages: unknown[] = [];
    const codes: ErrorCode[] = ['invalid_json', 'invalid_json', 'invalid_json'];
    codes.push('body_too_large', 'unsupported_media_type', 'unsupported_media_type');
    for (const answer of statuses) {
      const told = (await answer.json()) as { readonly message: unknown };
      const [code] = codes.splice(0, 1);
      expect(told).toEqual({
        status: 'failure',
        message: expect.stringMatching(/.+/),
        ...toldError(code ?? 'not_found'),
      });
      messages.push(told.message);
    }
    expect(messages[1]).toContain('no body');
    expect(messages[2]).toContain('no body');
    expect(messages[5]).toContain('Content-Encoding');
    expect(gateway.upstream.seen).toHaveLength(0);
  });

  it('answers 400 to a body that says something twice, on every route, without contacting the service', async () => {
    await gateway.start();
    for (const path of ['/search', '/tools/by-ids', '/tools/probe', '/tools/execute', '/agent/anonymous-register']) {
      for (const [body, named] of [
        ['{"query":"x","query":"y"}', '\\"query\\"'],
        ['{"query":"x","parameters":{"a":1,"\\u0061":2}}', '\\"a\\"'],
        ['{"query":"x","__proto__":{"a":1}}', '__proto__'],
      ] as const) {
        const answer = await gateway.post(`/api/v1${path}`, body);
        expect([path, answer.status]).toEqual([path, 400]);
        expect(await answer.text()).toContain(named);
      }
    }
    expect(gateway.upstream.seen).toHaveLength(0);
  });

  it('answers 400 to a body that nests too deeply, on every route, without contacting the service', async () => {
    await gateway.start();
    const nested = (levels: number): string => `{"query":"x","zz":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    for (const path of ['/search', '/tools/by-ids', '/tools/probe', '/tools/execute', '/agent/anonymous-register']) {
      for (const levels of [MAX_JSON_LEVELS, 20_000, ...(path.startsWith('/agent') ? [] : [500_000])]) {
        const answer = await gateway.post(`/api/v1${path}`, nested(levels));
        expect([path, levels, answer.status]).toEqual([path, levels, 400]);
        const message = expect.stringContaining(`${MAX_JSON_LEVELS} levels`);
        expect(await answer.json()).toEqual({ status: 'failure', message, ...toldError('invalid_json') });
      }
    }
    expect(gateway.upstream.seen).toHaveLength(0);
    const allowed = await gateway.post('/api/v1/search', nested(MAX_JSON_LEVELS - 1));
    expect([allowed.status, gateway.upstream.seen.length]).toEqual([200, 1]);
    expect((await gateway.post('/api/v1/search', nested(20_000), keyOf('e'))).status).toBe(401);
  });

  it('answers unknown paths and methods itself', async () => {
    await gateway.start();
    expect((await gateway.fetch('/api/v1/nothing')).status).toBe(404);
    expect((await gateway.fetch('/internal/credentials:verify', { method: 'POST' })).status).toBe(404);
    for (const path of ['/api/v1/search/', '/api/v1/search//?q=1']) {
      const slash = await gateway.fetch(path, { method: 'POST' });
      expect([slash.status, await slash.json()]).toEqual([
        404,
        {
          status: 'failure',
          message: expect.stringContaining('without the slash at its end'),
          ...toldError('not_found'),
        },
      ]);
    }
    expect(await (await gateway.fetch('/api/v1/nothing/')).json()).toMatchObject({ message: 'Not found.' });
    const head = await gateway.fetch('/api/v1/meta', { method: 'HEAD' });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
    const method = await gateway.fetch('/api/v1/search');
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await gateway.fetch('/api/v1/%zz')).status).toBe(400);
    expect(gateway.upstream.seen).toHaveLength(0);
  });
});
