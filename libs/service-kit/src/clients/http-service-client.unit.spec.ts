import { afterEach, describe, expect, it } from '@jest/globals';
import { internalHeaders } from '@capability-router/contracts';
import type { Handler, Replica } from '../testing/replica.js';
import { delay } from '../util/timing.js';
import type { HttpServiceClient } from './http-service-client.js';
import type { ServiceRequest } from './service-client.js';
import {
  call,
  clientOf,
  closeAll,
  drained,
  frozen,
  outcomeOf,
  readOf,
  refusing,
  replicaOf,
  UNROUTABLE,
  type Outcome,
} from './test-support/clients.js';

const hold: ServiceRequest = { ...call, path: '/holds', repeatable: true };
const read: ServiceRequest = { method: 'GET', path: '/reads', timeoutMs: 30_000 };

afterEach(closeAll);

const together = (client: HttpServiceClient, request: ServiceRequest, count: number): Promise<Outcome[]> =>
  Promise.all(Array.from({ length: count }, () => outcomeOf(client.request(request))));

const count = (outcomes: readonly Outcome[], such: Outcome): number =>
  outcomes.filter((outcome) => outcome === such).length;

/** Requests of which one begins at each address, also where a connection has to be opened first. */
const MOST_REQUESTS = 1_000;

/**
 * Opens a connection to each: until there is one, what waits for it for long is taken by another. What they have seen is
 * counted anew.
 */
async function connectToEach(client: HttpServiceClient, replicas: readonly Replica[]): Promise<void> {
  for (let sent = 0; sent < MOST_REQUESTS && replicas.some(({ seen }) => seen === 0); sent += 1) {
    expect(await outcomeOf(client.request(call))).toBe(200);
  }
  for (const replica of replicas) {
    expect(replica.seen).toBeGreaterThan(0);
    replica.seen = 0;
  }
}

describe('a client of a service with several addresses', () => {
  it('answers every one of many requests at once while one address refuses', async () => {
    const replica = await replicaOf();
    const client = await clientOf([await refusing(), replica.url]);
    for (const request of [call, hold, read]) {
      expect(count(await together(client, request, 100), 200)).toBe(100);
    }
    expect(replica.seen).toBe(300);
  });

  it('says that nothing was written where every address refuses', async () => {
    const client = await clientOf([await refusing(), await refusing()]);
    expect(await together(client, call, 10)).toEqual(Array.from({ length: 10 }, () => 'unwritten'));
  });

  it('moves a stream on from an address without a route, and says that nothing was written where there is no other', async () => {
    const replica = await replicaOf();
    const client = await clientOf([UNROUTABLE, replica.url]);
    const outcome = async (of: HttpServiceClient): Promise<Outcome> => outcomeOf(of.stream(readOf()).then(drained));
    // One of the two begins where there is no route.
    expect([await outcome(client), await outcome(client)]).toEqual([200, 200]);
    expect(await outcome(await clientOf([UNROUTABLE]))).toBe('unwritten');
  });

  it('moves on from one that is not ready, also with what must not be repeated, and tries each once', async () => {
    const starting: Handler = (_request, response) =>
      response.writeHead(503, { [internalHeaders.availability]: 'not_ready' }).end();
    const first = await replicaOf(starting, false);
    const second = await replicaOf(starting, false);
    const third = await replicaOf();
    expect(await outcomeOf((await clientOf([first.url, second.url, third.url])).request(call))).toBe(200);
    const neither = await clientOf([first.url, second.url]);
    const before = first.seen + second.seen;
    expect(await outcomeOf(neither.request(call))).toBe(503);
    expect(first.seen + second.seen - before).toBe(2);
  });

  it('says that nothing was written where one has not begun and the other refuses, in either order', async () => {
    const starting: Handler = (_request, response) =>
      response.writeHead(503, { [internalHeaders.availability]: 'not_ready' }).end();
    const replica = await replicaOf(starting, false);
    const away = await refusing();
    for (const urls of [
      [replica.url, away],
      [away, replica.url],
    ]) {
      expect(['unwritten', 503]).toContain(await outcomeOf((await clientOf(urls)).request(call)));
    }
  });

  it('passes on a 503 that a service gives of its own accord', async () => {
    const busy = await replicaOf();
    const other = await replicaOf();
    const client = await clientOf([other.url, busy.url]);
    await connectToEach(client, [busy, other]);
    busy.handle = (_request, response) => response.writeHead(503).end();
    const outcomes: Outcome[] = [];
    while (busy.seen === 0 && outcomes.length < MOST_REQUESTS) outcomes.push(await outcomeOf(client.request(call)));
    expect(outcomes.at(-1)).toBe(503);
    expect([busy.seen, other.seen]).toEqual([1, outcomes.length - 1]);
  });

  it('sends nothing more to one that says it is draining, and again when it is ready again', async () => {
    const draining = await replicaOf();
    const other = await replicaOf();
    const client = await clientOf([other.url, draining.url]);
    await connectToEach(client, [draining, other]);
    draining.handle = (_request, response) =>
      response.writeHead(200, { [internalHeaders.availability]: 'draining' }).end('{}');
    draining.ready = false;
    for (let i = 0; i < 10; i += 1) expect(await outcomeOf(client.request(call))).toBe(200);
    expect(draining.seen).toBe(1);
    draining.ready = true;
    draining.handle = (_request, response) => response.end('{}');
    while (draining.seen === 1) {
      await outcomeOf(client.request(call));
      await delay(20);
    }
  });

  it('does not wait for a frozen address with reads and with commands that are idempotent by id', async () => {
    const replica = await replicaOf();
    for (const request of [read, hold]) {
      const { url } = await frozen();
      const client = await clientOf([url, replica.url]);
      // Each request ends by moving on: their time-out is far away, and the frozen address never answers.
      expect(count(await together(client, request, 8), 200)).toBe(8);
      expect(count(await together(client, request, 50), 200)).toBe(50);
    }
  }, 60_000);

  it('does not wait for a frozen address with a stream that is not answered yet, and gives it up where there is no other', async () => {
    const replica = await replicaOf();
    const { url } = await frozen();
    const client = await clientOf([url, replica.url]);
    const streamed = (of: HttpServiceClient): Promise<Outcome> => outcomeOf(of.stream(readOf()).then(drained));
    // One of the two begins at the frozen address.
    expect([await streamed(client), await streamed(client)]).toEqual([200, 200]);
    const lost = await clientOf([url, (await frozen()).url], { lostAfterMs: 2_000 });
    expect(await streamed(lost)).toBe('written');
  }, 60_000);

  it('loses to a frozen address no more calls than were written before it was noticed, and gives these up', async () => {
    const replica = await replicaOf();
    const { url } = await frozen();
    const client = await clientOf([url, replica.url], { lostAfterMs: 2_000 });
    const first = together(client, call, 10);
    await outcomeOf(client.request(read));
    // A late answer has a probe sent; from its end on, nothing is sent there.
    let inARow = 0;
    const lost: Promise<Outcome>[] = [];
    while (inARow < 20) {
      const answer = outcomeOf(client.request(call));
      const outcome = await Promise.race([answer, delay(500).then(() => 'waits' as const)]);
      if (outcome === 'waits') lost.push(answer);
      inARow = outcome === 200 ? inARow + 1 : 0;
    }
    const outcomes = [...(await first), ...(await Promise.all(lost))];
    expect(count(outcomes, 'written') + count(outcomes, 200)).toBe(outcomes.length);
    expect(count(outcomes, 'written')).toBeGreaterThan(0);
  }, 60_000);

  it('moves what waits for a connection of a busy address to another, and writes it only there', async () => {
    let release: () => void = () => undefined;
    const busy = await replicaOf();
    const other = await replicaOf();
    const client = await clientOf([other.url, busy.url], { connections: 1 });
    await connectToEach(client, [busy, other]);
    busy.handle = (_request, response) => (release = () => response.end('{}'));
    let sent = 0;
    for (const round of [1, 2]) {
      let stuck: Promise<Outcome> | undefined;
      while (busy.seen < round && sent < MOST_REQUESTS) {
        stuck = outcomeOf(client.request(call));
        sent += 1;
        for (let waits = 0; waits < 2_000 && busy.seen + other.seen < sent; waits += 1) await delay(5);
      }
      expect(busy.seen).toBe(round);
      // Every second one begins at the address whose one connection is taken.
      expect(await together(client, call, 7)).toEqual(Array.from({ length: 7 }, () => 200));
      sent += 7;
      release();
      expect(await stuck).toBe(200);
      await delay(100);
      expect([busy.seen, busy.seen + other.seen]).toEqual([round, sent]);
    }
  });

  it('sends nothing twice that must not be repeated, when a connection breaks under it', async () => {
    const breaking: Handler = (request) => request.socket.destroy();
    const first = await replicaOf(breaking);
    const second = await replicaOf(breaking);
    const client = await clientOf([first.url, second.url]);
    expect(await outcomeOf(client.request(call))).toBe('written');
    expect(first.seen + second.seen).toBe(1);
    expect(await outcomeOf(client.request(read))).toBe('written');
    expect(first.seen + second.seen).toBe(3);
  });

  it('uses an address again soon after it is back', async () => {
    const away = await frozen();
    const { url, port } = away;
    const other = await replicaOf();
    const client = await clientOf([url, other.url]);
    await together(client, read, 4);
    await delay(2_000);
    away.stop();
    const back = await replicaOf(undefined, true, port);
    while (back.seen === 0) {
      expect(await outcomeOf(client.request(call))).toBe(200);
      await delay(20);
    }
  }, 30_000);
});
