import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { ProviderEgress } from '@capability-router/contracts';
import { startDnsServer, type DnsServer } from '../test-support/dns-server.js';
import { sendJson, startStub, type StubServer } from '../test-support/stub-server.js';
import { EgressClient } from './egress-client.js';
import type { EgressSettings } from './egress-settings.js';

/** The only address that tests open; 127.0.0.2 plays the part of an inner service that must not be reached. */
const outside: ProviderEgress = { allowHttp: true, allowNetworks: ['127.0.0.1/32'] };
const clients: EgressClient[] = [];
let server: StubServer;
let inner: StubServer;
let dns: DnsServer;
let addresses: (queryNumber: number) => readonly string[] = () => ['127.0.0.1'];

beforeAll(async () => {
  server = await startStub((request, response) => {
    if (request.url === '/redirect') {
      response.writeHead(302, { location: `http://127.0.0.2:${inner.port}/latest/meta-data` }).end();
    } else if (request.url === '/once') {
      response.writeHead(200, { connection: 'close' }).end('"ok"');
    } else if (request.url === '/headers') {
      response.writeHead(200, { 'x-large': 'x'.repeat(40_000) }).end();
    } else if (request.url === '/large') {
      response.writeHead(200);
      const send = (): void => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', send);
      };
      send();
    } else if (request.url?.startsWith('/bomb') === true) {
      response.writeHead(200, { 'content-encoding': request.url.slice('/bomb-'.length) }).end(bomb);
    } else if (request.url === '/packed') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"packed":true}'));
    } else if (request.url !== '/silent') {
      sendJson(response, { host: request.headers.host });
    }
  });
  inner = await startStub((_request, response) => response.end('secret'), '127.0.0.2', server.port);
  dns = await startDnsServer((_name, queryNumber) => addresses(queryNumber));
});
afterAll(() => Promise.all([server.close(), inner.close(), dns.close()]));
afterEach(async () => {
  expect(inner.requests).toEqual([]);
  expect(inner.connections()).toBe(0);
  await Promise.all(clients.splice(0).map((client) => client.destroy()));
});

/** 64 MiB of zeros in 64 KiB. */
const bomb = gzipSync(Buffer.alloc(64 * 1_024 * 1_024));

function clientFor(policy: ProviderEgress = outside, settings: EgressSettings = {}): EgressClient {
  const client = new EgressClient(policy, { maxBodyBytes: 1_048_576, ...settings });
  clients.push(client);
  return client;
}

const get = (client: EgressClient, url: string) => client.request(url, { deadlineMs: 30_000 });
const at = (host: string, path = '/'): string => `http://${host}:${server.port}${path}`;

describe('an address in the URL', () => {
  it.each([
    '127.0.0.2',
    '2130706434',
    '0x7f000002',
    '0x7f.2',
    '0177.0.0.02',
    '127.2',
    '127.0.0.2.',
    '１２７.０.０.２',
    '[::ffff:127.0.0.2]',
    '[::ffff:7f00:2]',
    '[::127.0.0.2]',
    '[64:ff9b::7f00:2]',
    '[2002:7f00:2::]',
    '[::1]',
    '0.0.0.0',
    'localhost',
    'localhost.',
  ])('%s, which is not public, is not connected to', async (host) => {
    // This provider may reach one address of the loopback, which the test does not use here.
    const client = clientFor({ allowHttp: true, allowNetworks: ['127.0.0.9/32'] });
    await expect(get(client, at(host))).rejects.toMatchObject({ code: 'ERR_EGRESS_REFUSED', refusal: 'address' });
    await expect(client.fetch(at(host))).rejects.toMatchObject({ cause: { code: 'ERR_EGRESS_REFUSED' } });
  });

  it('is reached where the operator opened its network', async () => {
    const { status, body } = await get(clientFor(), at('0x7f.1'));
    expect({ status, body: JSON.parse(body.toString()) as unknown }).toEqual({
      status: 200,
      body: { host: `127.0.0.1:${server.port}` },
    });
  });
});

describe('a name', () => {
  it('whose answers alternate is only ever connected to at the address that was vetted', async () => {
    addresses = (queryNumber) => [queryNumber % 2 === 0 ? '127.0.0.2' : '127.0.0.1'];
    const client = clientFor(outside, { resolve: dns.resolve });
    const before = dns.asked.length;
    const ends: string[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      ends.push(
        await get(client, at('rebinding.example', '/once')).then(
          ({ body }) => body.toString(),
          (error: unknown) => (error as { code: string }).code,
        ),
      );
    }
    expect(new Set(ends)).toEqual(new Set(['"ok"', 'ERR_EGRESS_REFUSED']));
    // Asked once for each connection: between vetting and connecting there is no second answer to be fooled by.
    expect(dns.asked.length - before).toBe(10);
  });

  it('is asked for once by connections that are made at the same time', async () => {
    addresses = () => ['127.0.0.1'];
    const client = clientFor(outside, { resolve: dns.resolve });
    const [queries, connections] = [dns.asked.length, server.connections()];
    await Promise.all(Array.from({ length: 5 }, () => get(client, at('together.example', '/once'))));
    expect(dns.asked.length - queries).toBe(1);
    expect(server.connections() - connections).toBe(5);
  });

  it('with an inner address among its addresses is reached at the others', async () => {
    addresses = () => ['127.0.0.2', '127.0.0.1', '169.254.169.254'];
    const { status } = await get(clientFor(outside, { resolve: dns.resolve }), at('mixed.example'));
    expect(status).toBe(200);
  });

  it('in other letters resolves to what it means', async () => {
    addresses = () => ['127.0.0.1'];
    const client = clientFor({ ...outside, allowHosts: ['xn--bcher-kva.example'] }, { resolve: dns.resolve });
    expect((await get(client, at('BÜCHER.example'))).status).toBe(200);
    expect(dns.asked.at(-1)).toBe('xn--bcher-kva.example');
  });

  it('that does not exist says so', async () => {
    addresses = () => [];
    const client = clientFor(outside, { resolve: dns.resolve });
    await expect(get(client, at('missing.example'))).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});

describe('an exchange', () => {
  it('does not follow a redirect', async () => {
    expect(await get(clientFor(), at('127.0.0.1', '/redirect'))).toMatchObject({ status: 302 });
    expect((await clientFor().fetch(at('127.0.0.1', '/redirect'))).status).toBe(302);
  });

  it('refuses plain http, user and password, and ports of other protocols', async () => {
    await expect(get(clientFor({}), at('127.0.0.1'))).rejects.toMatchObject({ refusal: 'scheme' });
    await expect(get(clientFor(), at('u:p@127.0.0.1'))).rejects.toMatchObject({ refusal: 'userinfo' });
    await expect(get(clientFor(), 'http://127.0.0.1:22/')).rejects.toMatchObject({ refusal: 'port' });
  });

  it('reuses its connections, and never those of another provider', async () => {
    const [one, other] = [clientFor(), clientFor()];
    const before = server.connections();
    await get(one, at('127.0.0.1'));
    // A connection is free again once its answer has left the parser, a turn of the event loop later.
    await nextTurn();
    await get(one, at('127.0.0.1'));
    expect(server.connections() - before).toBe(1);
    await get(other, at('127.0.0.1'));
    expect(server.connections() - before).toBe(2);
  });

  it('unpacks, and gives up on a body that is too large, sent or unpacked, by its declared or its real size', async () => {
    expect((await get(clientFor(), at('127.0.0.1', '/packed'))).body.toString()).toBe('{"packed":true}');
    const tooLarge = { code: 'ERR_UNREADABLE_ANSWER', reason: 'too_large' };
    await expect(get(clientFor(), at('127.0.0.1', '/large'))).rejects.toMatchObject(tooLarge);
    await expect(get(clientFor(), at('127.0.0.1', '/bomb-gzip'))).rejects.toMatchObject(tooLarge);
    await expect(get(clientFor(outside, { maxBodyBytes: 5 }), at('127.0.0.1'))).rejects.toMatchObject(tooLarge);
    const streamed = await clientFor().fetch(at('127.0.0.1', '/bomb-gzip'));
    await expect(streamed.text()).rejects.toMatchObject(tooLarge);
  });

  it('refuses a body that is packed twice or in a way it does not know', async () => {
    for (const encoding of ['gzip,gzip', 'zstd']) {
      await expect(get(clientFor(), at('127.0.0.1', `/bomb-${encoding}`))).rejects.toMatchObject({
        reason: 'encoding',
      });
    }
  });

  it('gives up on headers that are too large', async () => {
    await expect(get(clientFor(), at('127.0.0.1', '/headers'))).rejects.toMatchObject({
      code: 'UND_ERR_HEADERS_OVERFLOW',
    });
  });

  it('ends at its deadline and when its caller gives up', async () => {
    const late = clientFor().request(at('127.0.0.1', '/silent'), { deadlineMs: 50 });
    await expect(late).rejects.toMatchObject({ code: 'ERR_DEADLINE' });
    const caller = new AbortController();
    const given = clientFor().request(at('127.0.0.1', '/silent'), { deadlineMs: 60_000, signal: caller.signal });
    setTimeout(() => caller.abort(), 20);
    await expect(given).rejects.toMatchObject({ code: 'ERR_DEADLINE' });
  });
});
