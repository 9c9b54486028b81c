import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { AppError, systemClock } from '@capability-router/kernel';
import { identifyCallers, requireCaller } from '../http/caller-identity.js';
import { answerErrorsPlainly, createServer } from '../http/server.js';
import { createMetrics } from '../observability/metrics.js';
import { generateInternalKeys } from '../tokens/generate-keys.js';
import { InternalTokens } from '../tokens/internal-tokens.js';
import { HttpServiceClient } from './http-service-client.js';
import { InjectServiceClient } from './inject-service-client.js';
import {
  UpstreamTimeout,
  UpstreamUnavailable,
  type StreamedRequest,
  type StreamingServiceClient,
} from './service-client.js';

const logger = pino({ level: 'silent' });
const MEGABYTE = 1_048_576;

interface Peer {
  readonly client: StreamingServiceClient;
  readonly server: FastifyInstance;
  /** The service has such a request in hand. */
  readonly begun: Promise<void>;
  /** The fate of the body of a request that the service only begins to read. */
  readonly broken: Promise<unknown>;
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function startPeer(kind: 'http' | 'inject'): Promise<Peer> {
  const keys = generateInternalKeys();
  const tokensOf = (service: 'gateway' | 'registry') =>
    InternalTokens.create({ service, signingKey: keys.signingKeys[service], jwks: keys.jwks, clock: systemClock });
  const server = createServer({
    service: 'registry',
    logger,
    metrics: createMetrics(),
    streamedContentTypes: ['application/x-ndjson'],
  });
  identifyCallers(server, await tokensOf('registry'), logger);
  answerErrorsPlainly(server, logger);
  server.post('/echo', (request, reply) => {
    requireCaller(request, ['gateway']);
    void reply.header('content-type', 'application/x-ndjson').send(request.body);
  });
  server.post('/refuse', () => {
    throw new AppError('body_too_large');
  });
  let settle: (error: unknown) => void = () => undefined;
  const broken = new Promise<unknown>((resolve) => (settle = resolve));
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  server.post('/ignore', (request, reply) => {
    begin();
    reply.raw.once('close', () => settle('closed'));
    void reply.send(new Readable({ read: () => undefined }));
  });
  closers.push(() => {
    // A server that has ceased to read a connection does not notice that it is gone.
    server.server.closeAllConnections();
    return server.close();
  });
  const tokens = await tokensOf('gateway');
  if (kind === 'inject')
    return { client: new InjectServiceClient('registry', tokens, () => server), server, begun, broken };
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const client = new HttpServiceClient({ service: 'registry', urls: [`http://127.0.0.1:${port}`], tokens });
  closers.push(() => client.close());
  return { client, server, begun, broken };
}

const requestOf = (path: string, body: Readable, over: Partial<StreamedRequest> = {}): StreamedRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-ndjson' },
  body,
  idleTimeoutMs: 30_000,
  signal: new AbortController().signal,
  ...over,
});

/** A body that is written as the test goes on. */
const handFed = (): Readable => new Readable({ read: () => undefined });

describe.each(['http', 'inject'] as const)('a streamed exchange (%s)', (kind) => {
  it('gives the answer while the body is still being sent', async () => {
    const { client } = await startPeer(kind);
    const body = handFed();
    body.push('one\n');
    const answer = await client.stream(requestOf('/echo', body));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    const [first] = (await once(answer.body, 'data')) as [Buffer];
    expect(first.toString()).toBe('one\n');
    body.push('two\n');
    body.push(null);
    const rest: Buffer[] = [];
    for await (const chunk of answer.body) rest.push(chunk as Buffer);
    expect(Buffer.concat(rest).toString()).toBe('two\n');
  });

  it('takes no more of the body than the service reads, and ends when nothing moves', async () => {
    const { client } = await startPeer(kind);
    let taken = 0;
    const body = new Readable({
      read() {
        taken += MEGABYTE;
        this.push(Buffer.alloc(MEGABYTE));
      },
    });
    const failure = client.stream(requestOf('/ignore', body, { idleTimeoutMs: 300 })).then(async (answer) => {
      for await (const _chunk of answer.body) throw new Error('nothing is answered');
    });
    await expect(failure).rejects.toThrow(UpstreamTimeout);
    expect(taken).toBeLessThan(32 * MEGABYTE);
    body.destroy();
  });

  it('is broken off with its caller', async () => {
    const { client, begun, broken } = await startPeer(kind);
    const gone = new AbortController();
    const body = handFed();
    body.push('one\n');
    const exchange = client.stream(requestOf('/ignore', body, { signal: gone.signal })).then(async (answer) => {
      for await (const _chunk of answer.body) throw new Error('nothing is answered');
    });
    const failed = expect(exchange).rejects.toThrow(UpstreamUnavailable);
    await begun;
    gone.abort(new Error('hung up'));
    await failed;
    expect(await broken).toBe('closed');
    body.destroy();
  });

  it('passes on a refusal that comes before the body was read, and leaves the body alone', async () => {
    const { client } = await startPeer(kind);
    const body = handFed();
    body.push('one\n');
    const answer = await client.stream(requestOf('/refuse', body));
    expect(answer.status).toBe(413);
    for await (const _chunk of answer.body);
    expect(body.destroyed).toBe(false);
    body.destroy();
  });

  it('has no whole answer where its body breaks', async () => {
    const { client } = await startPeer(kind);
    const body = handFed();
    body.push('one\n');
    const answer = await client.stream(requestOf('/echo', body));
    await once(answer.body, 'data');
    body.destroy(new Error('the body broke'));
    await expect(once(answer.body, 'end')).rejects.toThrow();
  });
});

describe('a streamed exchange', () => {
  it('whose body has broken already is not begun', async () => {
    const { client } = await startPeer('http');
    const body = handFed();
    body.on('error', () => undefined);
    body.destroy(new AppError('body_too_large'));
    await new Promise(setImmediate);
    await expect(client.stream(requestOf('/echo', body))).rejects.toThrow(AppError);
  });

  it('with nobody there says that nothing was written', async () => {
    const { client, server } = await startPeer('http');
    await server.close();
    const failure = await client.stream(requestOf('/echo', Readable.from(['x']))).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UpstreamUnavailable);
    expect((failure as UpstreamUnavailable).requestWritten).toBe(false);
  });
});
