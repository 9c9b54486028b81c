/**
 * A provider of its own on the loopback interface: `GET /after/{milliseconds}/quote` answers after that time,
 * `GET /after/{milliseconds}/counts` tells how many did.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Listening, ProviderCounts } from './loopback-processes.js';

const MAX_DELAY_MS = 60_000;
/** Longer than a caller keeps an idle connection, so that none is closed while a request is on its way. */
const KEEP_ALIVE_MS = 120_000;
const PATH = /^\/after\/(\d{1,5})\/(quote|counts)(?:\?|$)/;

const answer = JSON.stringify({
  symbol: 'ACME',
  currency: 'CHF',
  price: 104.25,
  previous_close: 103.8,
  day_range: { low: 102.95, high: 105.1 },
  volume: 1_284_311,
  market: { name: 'Example Exchange', open: true, time_zone: 'Europe/Zurich' },
  as_of: '2026-01-15T14:30:00Z',
});

type Counts = { -readonly [Key in keyof ProviderCounts]: ProviderCounts[Key] };
/** By delay; no more than there are delays that are allowed. */
const countsByDelay = new Map<number, Counts>();

const server = createServer((request, response) => {
  const [, digits, what] = PATH.exec(request.url ?? '') ?? [];
  const delay = Number(digits);
  if (what === undefined || delay > MAX_DELAY_MS) {
    respond(response, 404, '{"error":"no such path"}');
    return;
  }
  const counts = countsByDelay.get(delay) ?? { answered: 0, waiting: 0, mostWaiting: 0 };
  countsByDelay.set(delay, counts);
  if (what === 'counts') {
    respond(response, 200, JSON.stringify(counts satisfies ProviderCounts));
    return;
  }
  counts.waiting += 1;
  counts.mostWaiting = Math.max(counts.mostWaiting, counts.waiting);
  if (delay === 0) quote(response, counts);
  else setTimeout(() => quote(response, counts), delay);
});

function quote(response: ServerResponse, counts: Counts): void {
  counts.waiting -= 1;
  counts.answered += 1;
  respond(response, 200, answer);
}

function respond(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) });
  response.end(body);
}

server.keepAliveTimeout = KEEP_ALIVE_MS;
server.listen(0, '127.0.0.1', () => {
  const listening: Listening = { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  process.send?.(listening);
});
