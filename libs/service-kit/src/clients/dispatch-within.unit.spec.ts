import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dispatchWithin } from './dispatch-within.js';

const server = fastify();
const LARGE = 'ж'.repeat(100_000);

describe('a request within the process', () => {
  const finished: string[] = [];
  beforeAll(async () => {
    server.addHook('onResponse', (request, _reply, done) => {
      finished.push(request.url);
      done();
    });
    server.post('/echo', (request, reply) =>
      reply
        .code(201)
        .headers({ 'x-list': ['a', 'b'], 'x-number': 7 })
        .send({ body: request.body, ip: request.ip, headers: request.headers, url: request.url }),
    );
    server.get('/large', () => LARGE);
    server.get('/nothing', (_request, reply) => reply.code(204).send());
    server.get('/parts', (_request, reply) =>
      reply.type('text/plain').send(Readable.from(['one ', Buffer.from('two')])),
    );
    server.get('/raw', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(202, 'So be it', { 'X-Head': 'told' });
      reply.raw.end('caf\u00e9', 'latin1');
    });
    server.get('/broken', (_request, reply) => {
      reply.hijack();
      reply.raw.write('half');
      reply.raw.destroy();
    });
    server.get('/fails', () => Promise.reject(new Error('it fails')));
    await server.ready();
  });
  afterAll(() => server.close());

  const get = (path: string) => dispatchWithin(server, { method: 'GET', path, headers: {} });

  it('is one as over a socket, with its body and the address that is told', async () => {
    const answer = await dispatchWithin(server, {
      method: 'POST',
      path: '/echo?a=1',
      headers: { 'content-type': 'application/json', 'x-own': 'é' },
      body: '{"a":"ж"}',
      remoteAddress: '192.0.2.1',
    });
    expect(answer).toMatchObject({ status: 201, headers: { 'x-list': ['a', 'b'], 'x-number': '7' } });
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      body: { a: 'ж' },
      ip: '192.0.2.1',
      url: '/echo?a=1',
      headers: { host: 'localhost', 'content-length': '10', 'x-own': 'é' },
    });
  });

  it('is answered whole, however it is written', async () => {
    const texts = await Promise.all(
      ['/large', '/parts', '/nothing'].map(async (path) => (await get(path)).body.toString()),
    );
    expect(texts).toEqual([LARGE, 'one two', '']);
    expect(await get('/raw')).toMatchObject({
      status: 202,
      headers: { 'x-head': 'told' },
      body: Buffer.from('caf\u00e9', 'latin1'),
    });
    expect([(await get('/none')).status, (await get('/fails')).status]).toEqual([404, 500]);
  });

  it('ends for the server, too', async () => {
    finished.length = 0;
    await get('/large');
    await get('/parts');
    await new Promise((resolve) => setImmediate(resolve));
    expect(finished).toEqual(['/large', '/parts']);
  });

  it('fails where the answer breaks off', async () => {
    await expect(get('/broken')).rejects.toThrow('broke off');
  });
});
