import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** Milliseconds; above the deadline of the tools that ask for it. */
export const LATE_MS = 3_000;
/** Milliseconds between two bytes. */
const DRIP_MS = 20;
const MEBIBYTE = 1_048_576;
/** The size that the bombs unpack to. */
export const BOMB_BYTES = 512 * MEBIBYTE;
const TEN_GIGABYTES = 10_000_000_000;

const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) =>
    response.writeHead(code, headers).end();
/** Speaks on the connection without the help of an HTTP server. */
const raw =
  (text: string, andThen: 'ends' | 'stays'): Behaviour =>
  ({ socket }) => {
    socket.write(text);
    if (andThen === 'ends') socket.end();
  };
/** Writes as fast as the other side reads, without end. */
function pour(write: (chunk: string | Buffer) => boolean, response: ServerResponse, chunk: string | Buffer): void {
  const { socket } = response;
  if (socket === null) return;
  let stopped = false;
  socket.on('close', () => (stopped = true));
  const more = (): void => {
    // In slices, so that the test's own process goes on.
    for (let turn = 0; turn < 16 && !stopped; turn += 1) {
      if (!write(chunk)) {
        socket.once('drain', more);
        return;
      }
    }
    if (!stopped) setImmediate(more);
  };
  more();
}

/** Members of gzip may follow each other: one mebibyte of zeros, many times. */
const gzipBomb = (): Buffer => {
  const member = gzipSync(Buffer.alloc(MEBIBYTE));
  return Buffer.concat(Array.from({ length: BOMB_BYTES / MEBIBYTE }, () => member));
};
const brotliBomb = (): Buffer =>
  brotliCompressSync(Buffer.alloc(BOMB_BYTES / 4), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** The behaviours of the provider, by the name of the path. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  good: (_request, response) => json(response, { rows: [{ n: 1 }, { n: 2 }], status: 'OK' }),
  partial: (_request, response) => json(response, { rows: [{ n: 1 }], status: 'PARTIAL' }),
  nothing: (_request, response) => json(response, { rows: [], status: 'OK' }),
  'zero-results': (_request, response) => json(response, { status: 'ZERO_RESULTS', hint: 'spell it otherwise' }),
  null: (_request, response) => json(response, null),
  'no-content': status(204),
  'beyond-doubles': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"rows":[{"n":1e400}]}'),
  misfit: (_request, response) => json(response, { rows: [{ n: 'one' }] }),
  'backtracking-text': (_request, response) => json(response, { text: `${'a'.repeat(60)}!` }),

  'no-headers': () => undefined,
  'half-headers': raw('HTTP/1.1 200 OK\r\nx-one: ', 'stays'),
  'half-body': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"rows":'),
  drip: (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('"');
    const timer = setInterval(() => response.write('x'), DRIP_MS);
    response.on('close', () => clearInterval(timer));
  },
  late: (_request, response) => void setTimeout(() => json(response, { rows: [1] }), LATE_MS),
  'early-hints': ({ socket }, response) =>
    pour((text) => socket.write(text), response, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  continues: ({ socket }, response) => pour((text) => socket.write(text), response, 'HTTP/1.1 100 Continue\r\n\r\n'),

  reset: ({ socket }) => void socket.resetAndDestroy(),
  'closed-early': ({ socket }) => void socket.destroy(),
  'closed-in-body': raw(
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
    'ends',
  ),

  garbage: raw('\u0000\u0001 this is no HTTP\r\n\r\n', 'ends'),
  'truncated-json': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"rows": [1, 2'),
  'wrong-type': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please sign in</html>'),
  'unknown-encoding': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'zstd' }).end('{}'),
  'huge-headers': raw(`HTTP/1.1 200 OK\r\n${'x-pad: yyyyyyyyyyyyyyyy\r\n'.repeat(20_000)}\r\n`, 'stays'),
  'ten-gigabytes': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(TEN_GIGABYTES) });
    pour((chunk) => response.write(chunk), response, Buffer.alloc(65_536, 'x'));
  },
  endless: (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    pour((chunk) => response.write(chunk), response, Buffer.alloc(65_536, 'x'));
  },
  'gzip-bomb': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipBomb()),
  'brotli-bomb': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br' }).end(brotliBomb()),

  redirect: status(302, { location: 'http://169.254.169.254/latest/meta-data/' }),
  ...Object.fromEntries([400, 401, 403, 404, 407, 500, 502, 503].map((code) => [String(code), status(code)])),
  '429': status(429, { 'retry-after': '60' }),
};
