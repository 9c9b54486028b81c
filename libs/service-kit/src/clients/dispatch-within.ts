import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

export interface RequestWithin {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** The address that the server is told; this machine where absent. */
  readonly remoteAddress?: string;
}

export interface AnswerWithin {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer;
}

/**
 * A request to a server of the same process, through its router, and its whole answer. `inject` of Fastify does the same for tests: each of
 * its requests stays in memory until a full collection of garbage, since an accessor that is defined on each gives it a hidden
 * class of its own, which refers to it; at 200 searches a second that was a full collection every few seconds.
 * Rejects where the answer breaks off.
 */
export async function dispatchWithin(server: FastifyInstance, request: RequestWithin): Promise<AnswerWithin> {
  await server.ready();
  return new Promise((resolve, reject) => {
    const socket = new NoSocket(request.remoteAddress);
    const message = incoming(request, socket);
    const answer = new WholeAnswer(message, socket, resolve);
    answer.once('error', reject).once('close', () => reject(new Error('the answer broke off')));
    server.routing(message, answer);
  });
}

/** Takes in what is written to it. */
class NoSocket extends Writable {
  constructor(readonly remoteAddress = '127.0.0.1') {
    super();
  }

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}

function incoming({ method, path, headers, body }: RequestWithin, socket: NoSocket): IncomingMessage {
  const message = new IncomingMessage(socket as unknown as Socket);
  const sent: Record<string, string> = { host: 'localhost', ...headers };
  if (body !== undefined) {
    sent['content-length'] = String(Buffer.byteLength(body));
    message.push(body);
  }
  message.push(null);
  return Object.assign(message, {
    method,
    url: path,
    headers: sent,
    rawHeaders: Object.entries(sent).flat(),
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    complete: true,
  });
}

/** The body is kept as it is written. Its head goes to a socket that is none, so that all else is as in an answer to a client. */
class WholeAnswer extends ServerResponse {
  private readonly chunks: Buffer[] = [];

  constructor(message: IncomingMessage, socket: NoSocket, resolve: (answer: AnswerWithin) => void) {
    super(message);
    // Node keeps the headers of `writeHead` where it can be asked for them only once one was set.
    this.setHeader('date', '').removeHeader('date');
    this.assignSocket(socket as unknown as Socket);
    this.once('finish', () => {
      resolve({ status: this.statusCode, headers: this.told(), body: this.whole() });
      this.detachSocket(socket as unknown as Socket);
      this.emit('close');
    });
  }

  override write(chunk: Buffer | string, ...rest: unknown[]): boolean {
    const encoding = typeof rest[0] === 'string' ? (rest[0] as BufferEncoding) : 'utf8';
    this.chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    const done = rest.find((argument) => typeof argument === 'function');
    if (done !== undefined) process.nextTick(done);
    return true;
  }

  override end(...args: unknown[]): this {
    const [chunk, encoding] = args;
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) this.write(chunk, encoding);
    const done = args.find((argument) => typeof argument === 'function');
    return super.end(done as (() => void) | undefined);
  }

  private told(): AnswerWithin['headers'] {
    const told: AnswerWithin['headers'] = {};
    for (const [name, value] of Object.entries(this.getHeaders())) {
      if (value !== undefined) told[name] = typeof value === 'number' ? String(value) : value;
    }
    return told;
  }

  private whole(): Buffer {
    const [first] = this.chunks;
    return first !== undefined && this.chunks.length === 1 ? first : Buffer.concat(this.chunks);
  }
}
