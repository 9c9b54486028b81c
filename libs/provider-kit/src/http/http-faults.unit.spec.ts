import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ProviderChannels } from '../channels/provider-channels.js';
import { Authorizer } from '../credentials/authorizer.js';
import { noCredentials } from '../credentials/credential-source.js';
import { transportFaults } from '../faults/classify-transport.js';
import { JsonPathPool } from '../jsonpath/json-path-pool.js';
import type { ProviderAnswer } from '../provider-adapter.js';
import { startDnsServer, type DnsServer } from '../test-support/dns-server.js';
import { httpBinding, requestOf } from '../test-support/provider-request.js';
import { sendJson, startStub, startTcpStub, type StubServer, type TcpStub } from '../test-support/stub-server.js';
import { HttpAdapter } from './http-adapter.js';

/** Milliseconds; of those that wait for it. The others have all the time that a slow machine needs. */
const DEADLINE_MS = 300;
const PATIENT_DEADLINE_MS = 30_000;
let deadlineMs = DEADLINE_MS;

let server: StubServer;
let tcp: TcpStub;
let dns: DnsServer;
let listener: RequestListener = () => undefined;
let onSocket: (socket: Socket) => void = () => undefined;
const jsonPaths = new JsonPathPool();
const channels: ProviderChannels[] = [];

beforeAll(async () => {
  server = await startStub((request, response) => listener(request, response));
  tcp = await startTcpStub((socket) => onSocket(socket));
  dns = await startDnsServer((name) => (name === 'silent.example' ? undefined : []));
});
afterEach(() => Promise.all(channels.splice(0).map((one) => one.close())));
afterAll(() => Promise.all([server.close(), tcp.close(), dns.close(), jsonPaths.close()]));

function call(url: string): Promise<ProviderAnswer> {
  const one = new ProviderChannels({ maxBodyBytes: 1_048_576, resolve: dns.resolve });
  channels.push(one);
  const adapter = new HttpAdapter({
    channels: one,
    authorizer: new Authorizer(noCredentials, () => undefined),
    jsonPaths,
    report: () => undefined,
  });
  return adapter.call(requestOf(httpBinding(url, { retrySafe: false }), { deadlineMs }));
}

/** A listener of the HTTP stub. */
const http =
  (act: RequestListener): (() => Promise<ProviderAnswer>) =>
  () => {
    listener = act;
    return call(`${server.origin}/`);
  };
/** The behaviour of the TCP stub on a connection. */
const raw =
  (act: (socket: Socket) => void, scheme = 'http'): (() => Promise<ProviderAnswer>) =>
  () => {
    onSocket = act;
    return call(`${scheme}://127.0.0.1:${tcp.port}/`);
  };
const says = (text: string): (() => Promise<ProviderAnswer>) =>
  raw((socket) => socket.once('data', () => socket.end(text)));
const status = (code: number): (() => Promise<ProviderAnswer>) =>
  http((_request, response) => response.writeHead(code).end());

/** 64 MiB of zeros. */
const bomb = gzipSync(Buffer.alloc(64 * 1_024 * 1_024));
const TEN_GIGABYTES = '10000000000';

const cases: Record<string, [ProviderAnswer | object, () => Promise<ProviderAnswer>]> = {
  'time runs out while the name is resolved': [{ fault: 'timeout' }, () => call('http://silent.example/')],
  'time runs out in the TLS handshake': [{ fault: 'timeout' }, raw(() => undefined, 'https')],
  'time runs out before the first byte': [{ fault: 'timeout' }, http(() => undefined)],
  'time runs out within the headers': [{ fault: 'timeout' }, raw((socket) => socket.write('HTTP/1.1 200 OK\r\nx: '))],
  'time runs out within the body': [
    { fault: 'timeout' },
    http((_request, response) => response.writeHead(200, { 'content-length': '10' }).write('12345')),
  ],
  'the body drips': [
    { fault: 'timeout' },
    http((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('"');
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    }),
  ],
  'the answer comes after the deadline': [
    { fault: 'timeout' },
    http((_request, response) => setTimeout(() => sendJson(response, 'late'), 2 * DEADLINE_MS)),
  ],
  'the name does not exist': [{ fault: 'no_response' }, () => call('http://missing.example/')],
  'nobody listens': [{ fault: 'no_response' }, () => call('http://127.0.0.1:1024/')],
  'the connection is reset before an answer': [
    { fault: 'no_response' },
    raw((socket) => socket.once('data', () => socket.resetAndDestroy())),
  ],
  'the connection is closed before an answer': [
    { fault: 'no_response' },
    raw((socket) => socket.once('data', () => socket.end())),
  ],
  'the connection is closed within the body': [
    { fault: 'no_response' },
    says('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":'),
  ],
  'TLS is spoken by nobody': [
    { fault: 'no_response', retryable: false },
    raw((socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n'), 'https'),
  ],
  'garbage is spoken': [{ fault: 'provider_error' }, says('\x00\x01 no HTTP at all\r\n\r\n')],
  'the headers are endless': [{ fault: 'provider_error' }, says(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`)],
  'the JSON is cut off': [{ fault: 'provider_error' }, http((_request, response) => response.end('{"a": [1, 2'))],
  'the JSON is nested without end': [
    { fault: 'provider_error' },
    http((_request, response) => response.end('['.repeat(5_000) + ']'.repeat(5_000))),
  ],
  'the type is a page': [
    { fault: 'provider_error', message: expect.stringContaining('text/html') },
    http((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>')),
  ],
  'the character set is one that nobody knows': [
    { fault: 'provider_error' },
    http((_request, response) => response.writeHead(200, { 'content-type': 'text/plain; charset=klingon' }).end('x')),
  ],
  'the type is an image': [
    { fault: 'provider_error' },
    http((_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x')),
  ],
  '10 GB are announced': [
    { fault: 'provider_error', message: expect.stringContaining('too large') },
    http((_request, response) => response.writeHead(200, { 'content-length': TEN_GIGABYTES }).write('x')),
  ],
  'a body without end is sent': [
    { fault: 'provider_error', message: expect.stringContaining('too large') },
    http((_request, response) => {
      const send = (): void => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', send);
      };
      send();
    }),
  ],
  'a gzip bomb is sent': [
    { fault: 'provider_error', message: expect.stringContaining('too large') },
    http((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)),
  ],
  'what is called gzip is none': [
    { fault: 'provider_error' },
    http((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')),
  ],
  'gzip is cut off': [
    { fault: 'provider_error' },
    http((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}').subarray(0, 12)),
    ),
  ],
  'what is called br is none': [
    { fault: 'provider_error' },
    http((_request, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('no br')),
  ],
  'a redirect is answered': [
    { fault: 'http_error', statusCode: 302 },
    http((_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()),
  ],
  'the address is not public': [{ fault: 'execution_failed', retryable: false }, () => call('http://127.0.0.2/')],
  'the answer is 400': [{ fault: 'http_error', statusCode: 400, retryable: false, callerFault: true }, status(400)],
  'the answer is 401': [{ fault: 'auth_or_permission', statusCode: 401, retryable: false }, status(401)],
  'the answer is 403': [{ fault: 'auth_or_permission', statusCode: 403, retryable: false }, status(403)],
  'the answer is 407': [{ fault: 'auth_or_permission', statusCode: 407, retryable: false }, status(407)],
  'the answer is 404': [{ fault: 'http_error', statusCode: 404, retryable: false, callerFault: true }, status(404)],
  'the answer is 429': [{ fault: 'rate_limited', statusCode: 429, retryable: true }, status(429)],
  'the answer is 500': [{ fault: 'http_error', statusCode: 500, retryable: true }, status(500)],
  'the answer is 503': [{ fault: 'http_error', statusCode: 503, retryable: true }, status(503)],
};

/** All that is certain not to have reached the provider. */
const nothingSent = new Set(['the name does not exist', 'nobody listens', 'the address is not public']);

describe('a provider, when', () => {
  it.each(Object.entries(cases))('%s, is one fault', async (name, [expected, act]) => {
    deadlineMs = 'fault' in expected && expected.fault === 'timeout' ? DEADLINE_MS : PATIENT_DEADLINE_MS;
    const answer = await act();
    expect(answer).toMatchObject({ kind: 'failed', message: expect.stringMatching(/^[^\n]{10,}\.|"$/), ...expected });
    expect('sent' in answer ? answer.sent : undefined).toBe(nothingSent.has(name) ? false : undefined);
    // Nothing of this deployment's network is told to a caller.
    expect(JSON.stringify(answer)).not.toMatch(/127\.0\.0\.|169\.254/);
  });

  it('has said something about its error, is quoted in one line, bounded', async () => {
    deadlineMs = PATIENT_DEADLINE_MS;
    listener = (_request, response) =>
      sendJson(response, { error: { message: `a\nb\u0000c ${'x'.repeat(5_000)}` } }, 400);
    const answer = await call(`${server.origin}/`);
    expect(answer).toMatchObject({
      message: expect.stringMatching(/^The provider answered 400 Bad Request. It says: "a b c x+"$/),
    });
    expect((answer as { message: string }).message.length).toBeLessThanOrEqual(500);
  });
});

it('no code is a refusal: those are decided before anything is sent', () => {
  const faults = new Set(Object.values(transportFaults).map(({ fault }) => fault));
  expect([...faults].sort()).toEqual(['execution_failed', 'no_response', 'provider_error', 'timeout']);
});
