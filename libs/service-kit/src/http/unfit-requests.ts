import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { publicHeaders } from '@capability-router/contracts';
import { errorMembers } from './error-members.js';

export type Headers = Readonly<Record<string, string>>;

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Headers;
}

/** Header lines of one request, of which each is looked at by whoever reads them. */
export const MAX_HEADERS = 100;
/** Milliseconds in which a refusal gets through to somebody who still sends. */
const LAST_WORDS_MS = 1_000;

const methods = 'DELETE, GET, HEAD, PATCH, POST, PUT';

/** Node says these of bytes that it could not read, where the sender can do better. */
const unreadable: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `The URL and the headers are too large: together at most ${maxHeaderSize} bytes.`,
  },
  HPE_INVALID_URL: { status: 400, message: 'The URL is invalid. Percent-encode spaces and what is not ASCII.' },
  HPE_INVALID_METHOD: {
    status: 405,
    message: `There is no such method here. Use one of ${methods}.`,
    headers: { allow: methods },
  },
};
const late = (part: 'head' | 'body'): Refusal => ({
  status: 408,
  message: `The ${part} of the request did not come in time. Send the whole request at once.`,
});
const tooManyHeaders: Refusal = {
  status: 431,
  message: `The request has too many headers. Send at most ${MAX_HEADERS}.`,
};
const noHttp: Refusal = { status: 400, message: 'The request is not valid HTTP.' };
const noHost: Refusal = { status: 400, message: 'The request has no Host header, which HTTP/1.1 requires.' };
const noTunnel: Refusal = {
  status: 405,
  message: `This server is no proxy. Use one of ${methods}.`,
  headers: { allow: methods },
};
const unknownExpectation: Refusal = {
  status: 417,
  message: 'The expectation of the Expect header cannot be met. Send 100-continue, or leave the header out.',
};

/** Bytes that are no HTTP request: there is no request to answer, only a socket. */
export function refuseUnreadable(code: string, socket: Duplex, responseHeaders: Headers): void {
  // A request that is too long under way may have an answer that has begun, into which nothing may be written.
  const { _httpMessage: answer } = socket as { readonly _httpMessage?: ServerResponse | null };
  if (answer?.headersSent === true) socket.destroy();
  else if (code === 'ERR_HTTP_REQUEST_TIMEOUT') refuseLate('head', socket, responseHeaders);
  else answerOn(socket, unreadable[code] ?? noHttp, responseHeaders);
}

/** Answers a request that does not come to its end, and ends its connection. */
export function refuseLate(part: 'head' | 'body', socket: Duplex, responseHeaders: Headers): void {
  answerOn(socket, late(part), responseHeaders);
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
}

/** Requests that Node alone would answer without a body, or not at all, get the body and the headers of every other refusal. */
export function refuseUnfitRequests(server: FastifyInstance, responseHeaders: Headers): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { httpVersion, headers, rawHeaders } = request.raw;
    // A path or a method that there is not is told as such, whatever else is wrong.
    if (rawHeaders.length > 2 * MAX_HEADERS) {
      void reply.code(tooManyHeaders.status).send(bodyOf(tooManyHeaders, request.id));
    } else if (httpVersion !== '1.1' || headers.host !== undefined || request.is404) done();
    else void reply.code(noHost.status).send(bodyOf(noHost, request.id));
  });
  server.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, text, headers } = written(unknownExpectation, responseHeaders);
    response.writeHead(status, headers).end(text);
  });
  server.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    answerOn(socket, noTunnel, responseHeaders);
  });
}

function bodyOf({ status, message }: Refusal, requestId: string) {
  const body = { status: 'failure', message };
  return { ...body, ...errorMembers({ status, body, requestId }) };
}

function written(refusal: Refusal, responseHeaders: Headers) {
  const requestId = randomUUID();
  const text = JSON.stringify(bodyOf(refusal, requestId));
  const headers = {
    ...responseHeaders,
    ...refusal.headers,
    [publicHeaders.requestId]: requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  };
  return { status: refusal.status, text, headers };
}

function answerOn(socket: Duplex, refusal: Refusal, responseHeaders: Headers): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, text, headers } = written(refusal, responseHeaders);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
}
