import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HttpBinding } from '@capability-router/contracts';
import type { ProviderAnswer, ProviderRequest } from '../provider-adapter.js';
import { echo, HttpStage } from '../test-support/http-stage.js';
import { provider } from '../test-support/provider-request.js';
import { sendJson } from '../test-support/stub-server.js';

let stage: HttpStage;
beforeAll(async () => {
  stage = await HttpStage.start();
});
afterEach(() => stage.reset());
afterAll(() => stage.stop());

const call = (...parts: Parameters<HttpStage['call']>): Promise<ProviderAnswer> => stage.call(...parts);

describe('a request', () => {
  it('puts parameters where the binding says, percent-encoded, and the rest into the query', async () => {
    stage.listener = echo;
    const answer = await call(
      {
        path: '/v1/{user}/items?fixed=1',
        placements: {
          id: { in: 'path', name: 'user' },
          tags: { in: 'query', name: 'tag', list: 'repeat' },
          sizes: { in: 'query', list: 'pipe' },
          trace: { in: 'header', name: 'X-Trace' },
        },
        headers: { 'X-Constant': 'c' },
      },
      { id: 'a/b?c#d', tags: ['x', 'y z'], sizes: [1, 2], trace: 't', page: 2, filter: { a: [1] } },
    );
    expect(answer).toMatchObject({
      kind: 'answered',
      data: {
        method: 'GET',
        url: '/v1/a%2Fb%3Fc%23d/items?fixed=1&tag=x&tag=y+z&sizes=1%7C2&page=2&filter=%7B%22a%22%3A%5B1%5D%7D',
        body: '',
        headers: { 'x-trace': 't', 'x-constant': 'c' },
      },
    });
  });

  it('has a JSON body of what is not placed, one of a whole parameter, or a form', async () => {
    stage.listener = echo;
    const post = (binding: Partial<HttpBinding>, parameters: ProviderRequest['parameters']) =>
      call({ method: 'POST', ...binding }, parameters);
    expect(await post({ placements: { b: { in: 'body', name: 'B' } } }, { a: 1, b: [true] })).toMatchObject({
      data: { body: '{"a":1,"B":[true]}', headers: { 'content-type': 'application/json' } },
    });
    expect(await post({ placements: { all: { in: 'body', whole: true } } }, { all: [1, { x: null }] })).toMatchObject({
      data: { body: '[1,{"x":null}]' },
    });
    expect(await post({ placements: { a: { in: 'form' } } }, { a: 'x y', b: ['1', '2'] })).toMatchObject({
      data: { body: 'a=x+y&b=1&b=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    });
    expect(await post({}, {})).toMatchObject({ data: { body: '' } });
  });

  it.each(['path', 'query', 'header', 'form'] as const)(
    'half of a character in the %s is the caller’s fault',
    async (place) => {
      const binding = {
        path: place === 'path' ? '/{id}' : '/',
        method: 'POST',
        placements: { id: { in: place } },
      } as const;
      for (const id of ['a\ud800', ['b', '\udc00']]) {
        const answer = await call(binding, { id });
        expect(answer).toMatchObject({ fault: 'invalid_parameters', message: expect.stringContaining('id: ') });
      }
      expect(stage.reports).toEqual([]);
    },
  );

  it.each(['..', '.', '%2e%2e', ''])('%j as part of a path is refused before anything is sent', async (id) => {
    const before = stage.server.requests.length;
    const answer = await call({ path: '/v1/users/{id}', placements: { id: { in: 'path' } } }, { id });
    // `%2e%2e` is sent as the text that it is.
    if (id === '%2e%2e') expect(stage.server.requests.slice(before)).toEqual(['GET /v1/users/%252e%252e']);
    else {
      expect(answer).toMatchObject({ kind: 'failed', fault: 'invalid_parameters' });
      expect(stage.server.requests.length).toBe(before);
    }
  });

  it('whose value cannot be a header, or whose path lacks a value, is refused, naming the parameter', async () => {
    const inHeader = { placements: { h: { in: 'header' as const } } };
    for (const h of ['a\r\nx-injected: 1', '好']) {
      expect(await call(inHeader, { h })).toMatchObject({
        fault: 'invalid_parameters',
        message: expect.stringContaining('h:'),
      });
    }
    const long = 'x'.repeat(20_000);
    expect(await call({}, { long })).toMatchObject({
      fault: 'invalid_parameters',
      message: expect.stringContaining('URL'),
    });
    expect(await call({ path: '/{id}' }, {})).toMatchObject({
      fault: 'invalid_parameters',
      message: expect.stringContaining('id'),
    });
  });

  it.each<[string, Partial<HttpBinding> & { path?: string }]>([
    ['that sets a reserved header', { headers: { Authorization: 'x' } }],
    ['with a host that is a parameter', { url: 'http://{host}/' }],
    ['that is no URL', { url: 'nowhere' }],
    ['with a broken result path', { resultPath: '$[' }],
  ])('of a binding %s is the catalogue’s fault and is reported', async (_name, binding) => {
    stage.listener = echo;
    const before = stage.reports.length;
    expect(await call(binding, { host: '127.0.0.1' })).toMatchObject({ fault: 'execution_failed', retryable: false });
    expect(stage.reports.length).toBe(before + 1);
  });
});

describe('a result', () => {
  const answering = (body: string, type = 'application/json', status = 200): void => {
    stage.listener = (_request, response) => response.writeHead(status, { 'content-type': type }).end(body);
  };

  it.each<[string, string, unknown]>([
    ['{"a":[1]}', 'application/json; charset=utf-8', { a: [1] }],
    ['{"a":1}', 'application/problem+json', { a: 1 }],
    ['plain words', 'text/plain', 'plain words'],
    ['<a/>', 'application/xml', '<a/>'],
    ['', 'application/json', null],
  ])('%j of type %s is %j', async (body, type, data) => {
    answering(body, type);
    expect(await call({})).toMatchObject({ kind: 'answered', data });
  });

  it.each<[string, unknown]>([
    ['$.list[0].n', 1],
    ['$.list[*].n', [1, 2]],
    ['$.none', null],
    ['$.list[?@.n > 1]', [{ n: 2 }]],
  ])('is what %s selects', async (resultPath, data) => {
    answering('{"list":[{"n":1},{"n":2}]}');
    expect(await call({ resultPath })).toMatchObject({ kind: 'answered', data });
  });

  it('whose path takes for ever is not waited for', async () => {
    answering(JSON.stringify({ text: 'a'.repeat(60) }));
    expect(await call({ resultPath: `$[?search(@, '(a+)+$b')]` })).toMatchObject({ fault: 'execution_failed' });
  });
});

describe('repeating', () => {
  const failing = (times: number, status: number, headers: Record<string, string> = {}): void => {
    let left = times;
    stage.listener = (_request, response) => {
      left -= 1;
      if (left >= 0) response.writeHead(status, headers).end();
      else sendJson(response, { ok: true });
    };
  };
  const requestsOf = async (act: () => Promise<unknown>): Promise<number> => {
    const before = stage.server.requests.length;
    await act();
    return stage.server.requests.length - before;
  };

  it('is done for what is safe, until it succeeds, and not more than twice', async () => {
    failing(2, 503);
    expect(await call({})).toMatchObject({ kind: 'answered' });
    failing(9, 503);
    expect(await requestsOf(() => call({}))).toBe(3);
    failing(2, 500);
    expect(await call({ method: 'POST', retrySafe: true })).toMatchObject({ kind: 'answered' });
  });

  it('is not done for what is not safe, or would fail again', async () => {
    failing(1, 503);
    expect(await requestsOf(() => call({ method: 'POST' }))).toBe(1);
    failing(1, 503);
    expect(await requestsOf(() => call({ retrySafe: false }))).toBe(1);
    failing(1, 404);
    expect(await requestsOf(() => call({}))).toBe(1);
  });

  it('waits for as long as the provider asks, and not at all where that is beyond the deadline', async () => {
    failing(1, 429, { 'retry-after': '1' });
    expect(await requestsOf(() => call({}, {}, { deadlineMs: 900 }))).toBe(1);
    failing(1, 429, { 'retry-after': '1' });
    expect(await call({})).toMatchObject({ kind: 'answered' });
    failing(1, 429, { 'retry-after': '60' });
    let answer: ProviderAnswer | undefined;
    expect(await requestsOf(async () => (answer = await call({})))).toBe(1);
    expect(answer).toMatchObject({ fault: 'rate_limited', retryAfterMs: 60_000 });
  });
});

describe('one provider', () => {
  it('gets so many calls at once, lets so many wait, and refuses the next', async () => {
    const arrived: ServerResponse[] = [];
    let running = 0;
    let most = 0;
    stage.listener = (_request, response) => {
      most = Math.max(most, (running += 1));
      arrived.push(response);
    };
    const untilArrived = async (count: number): Promise<void> => {
      while (arrived.length < count) await nextTurn();
    };
    const parts = stage.adapterWith(undefined, { maxConcurrent: 2, maxQueue: 3 });
    const accepted = Array.from({ length: 5 }, () => call({}, {}, {}, parts));
    await untilArrived(2);
    expect(parts.channels.inFlight).toBe(5);
    expect(await call({}, {}, {}, parts)).toMatchObject({ fault: 'execution_failed', retryable: true });
    for (let answered = 0; answered < accepted.length; answered += 1) {
      await untilArrived(Math.min(answered + 2, accepted.length));
      running -= 1;
      sendJson(arrived[answered] as ServerResponse, 1);
    }
    expect((await Promise.all(accepted)).map(({ kind }) => kind)).toEqual(Array(5).fill('answered'));
    expect(most).toBe(2);
    expect(parts.channels.inFlight).toBe(0);
  });

  it('that fails is left alone, visibly, while others go on', async () => {
    stage.listener = (_request, response) => response.writeHead(500).end();
    const parts = stage.adapterWith();
    const failing = () => call({ method: 'POST' }, {}, {}, parts);
    // As many as the breaker wants to see; the number that open it is its own business.
    for (let tries = 0; tries < 50 && parts.channels.breakers()[0]?.state !== 'open'; tries += 1) await failing();
    expect(parts.channels.breakers()).toEqual([{ providerId: 'demo', state: 'open' }]);
    const before = stage.server.requests.length;
    expect(await failing()).toMatchObject({ kind: 'failed', fault: 'unavailable', retryable: true });
    expect(stage.server.requests.length).toBe(before);
    stage.listener = echo;
    expect(await call({}, {}, { provider: provider('other') }, parts)).toMatchObject({ kind: 'answered' });
  });

  it('that is back after a pause is called again, by one call first', async () => {
    const parts = stage.adapterWith(undefined, { breakerPauseMs: 100 });
    const state = () => parts.channels.breakers()[0]?.state;
    stage.listener = (_request, response) => response.writeHead(500).end();
    for (let tries = 0; tries < 50 && state() !== 'open'; tries += 1) await call({ method: 'POST' }, {}, {}, parts);
    let release: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      stage.listener = (_request, response) => {
        release = () => sendJson(response, 'back');
        resolve();
      };
    });
    let first: ProviderAnswer | undefined;
    const trying = async (): Promise<void> => {
      // Refused until the pause is over, then held by the provider.
      while (first?.kind !== 'answered') first = await call({ method: 'POST' }, {}, {}, parts);
    };
    const back = trying();
    await arrived;
    expect(state()).toBe('half_open');
    expect(await call({}, {}, {}, parts)).toMatchObject({ fault: 'unavailable' });
    release();
    await back;
    expect(first).toMatchObject({ data: 'back' });
    expect(state()).toBe('closed');
  });

  it('that was not called for longest gives its connections up, when its calls have ended', async () => {
    const parts = stage.adapterWith(undefined, { maxProviders: 1 });
    let release: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      stage.listener = (request, response) => {
        if (request.url !== '/slow') return echo(request, response);
        release = () => sendJson(response, 'slow');
        resolve();
      };
    });
    const slow = call({ path: '/slow' }, {}, {}, parts);
    await arrived;
    await call({}, {}, { provider: provider('other') }, parts);
    expect(parts.channels.breakers().map(({ providerId }) => providerId)).toEqual(['other']);
    release();
    expect(await slow).toMatchObject({ data: 'slow' });
  });

  it('is not left alone for what its callers get wrong', async () => {
    stage.listener = (_request, response) => response.writeHead(422).end();
    const parts = stage.adapterWith();
    for (let tries = 0; tries < 50; tries += 1) await call({}, {}, {}, parts);
    expect(parts.channels.breakers()).toEqual([{ providerId: 'demo', state: 'closed' }]);
  });

  it('whose egress changes gets new connections at once', async () => {
    stage.listener = echo;
    const parts = stage.adapterWith();
    await call({}, {}, {}, parts);
    const before = stage.server.requests.length;
    const closed = provider('demo', { allowHttp: true });
    expect(await call({}, {}, { provider: closed }, parts)).toMatchObject({ fault: 'execution_failed' });
    expect(stage.server.requests.length).toBe(before);
  });
});
