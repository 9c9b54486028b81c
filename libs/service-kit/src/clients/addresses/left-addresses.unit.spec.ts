import { afterEach, describe, expect, it } from '@jest/globals';
import { startStalledListener } from '../../testing/stalled-listener.js';
import type { Handler } from '../../testing/replica.js';
import type { HttpServiceClient } from '../http-service-client.js';
import {
  call,
  clientOf,
  closeAll,
  closeLater,
  drained,
  outcomeOf,
  readOf,
  replicaOf,
  type Outcome,
} from '../test-support/clients.js';
import type { AddressObserver } from './service-address.js';

afterEach(closeAll);

/** Whoever is there now believes no token of ours, and knows no path. */
const stranger: Handler = (_request, response) => response.writeHead(401).end('{"status":"failure"}');

/** Hears why addresses are left out. */
function observerOf(reasons: string[]): AddressObserver {
  const none = (): void => undefined;
  return { ejected: (_of, _url, why) => void reasons.push(why), readmitted: none, left: none };
}

/** The test makes that many calls, one after the other. */
async function outcomesOf(client: HttpServiceClient, count: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  while (outcomes.length < count) outcomes.push(await outcomeOf(client.request(call)));
  return outcomes;
}

describe("an address that is not the service's any more", () => {
  it.each([undefined, 'identity'])(
    'takes no answer of another server (%s) for one of the service: the address has left, and the request goes elsewhere',
    async (name) => {
      const other = await replicaOf();
      other.name = 'billing';
      const gone = await replicaOf();
      gone.name = 'billing';
      const client = await clientOf([other.url, gone.url]);
      const alone = await clientOf([gone.url]);
      const both = await clientOf([gone.url, other.url]);
      // Each has heard the service name itself at both addresses.
      for (const of of [client, alone, both]) await outcomesOf(of, 10);
      gone.seen = 0;
      gone.handle = stranger;
      gone.ready = false;
      gone.name = name;
      expect(await outcomesOf(client, 10)).toEqual(Array.from({ length: 10 }, () => 200));
      const { seen } = gone;
      expect(seen).toBeGreaterThan(0);
      for (let sent = 0; sent < 10; sent += 1) expect(await outcomeOf(client.request(call))).toBe(200);
      expect(gone.seen).toBe(seen);
      expect(await outcomeOf(alone.request(call))).toBe('unwritten');
      expect(await outcomeOf(alone.stream(readOf()).then(drained))).toBe('unwritten');
      for (const _turn of [1, 2]) expect(await outcomeOf(both.stream(readOf()).then(drained))).toBe(200);
    },
  );

  it('passes on what a build refuses that never names itself, and goes on asking it', async () => {
    const named = await replicaOf();
    named.name = 'billing';
    const older = await replicaOf((_request, response) => response.writeHead(404).end('{"status":"failure"}'));
    const reasons: string[] = [];
    const client = await clientOf([named.url, older.url], { observer: observerOf(reasons) });
    const outcomes = await outcomesOf(client, 10);
    expect(outcomes.filter((outcome) => outcome !== 200)).toEqual(Array.from({ length: older.seen }, () => 404));
    expect(older.seen).toBeGreaterThan(1);
    expect(reasons).toEqual([]);
    const alone = await clientOf([older.url]);
    expect(await outcomeOf(alone.request(call))).toBe(404);
    expect(await outcomeOf(alone.stream(readOf()).then(drained))).toBe(404);
  });

  it('goes on with builds that name nothing, at the addresses of those that did: after a rollback', async () => {
    const replicas = [await replicaOf(), await replicaOf()];
    for (const replica of replicas) replica.name = 'billing';
    const [first, second] = replicas.map(({ url }) => url) as [string, string];
    const clients = await Promise.all(
      [[first, second], [first]].map((urls) => clientOf(urls, { nameForgottenMs: 300 })),
    );
    for (const client of clients) await outcomesOf(client, 4);
    for (const replica of replicas) {
      replica.name = undefined;
      replica.handle = (_request, response) => response.writeHead(404).end('{"status":"failure"}');
    }
    for (const client of clients) {
      expect(await outcomeOf(client.request(call))).toBe('unwritten');
      const outcomes: Outcome[] = [];
      while (outcomes.at(-1) !== 404) outcomes.push(await outcomeOf(client.request(call)));
      // Each of the addresses has its own time, and a client asks both in turn.
      while (outcomes.slice(-4).some((outcome) => outcome !== 404))
        outcomes.push(await outcomeOf(client.request(call)));
    }
  });

  it('passes on a refusal that the service itself gives', async () => {
    const refusing = await replicaOf(stranger);
    refusing.name = 'billing';
    expect(await outcomeOf((await clientOf([refusing.url])).request(call))).toBe(401);
  });

  it('leaves an address out as silent where a stream gets no connection to it', async () => {
    const other = await replicaOf();
    const stalled = await startStalledListener();
    closeLater(() => stalled.close());
    const reasons: string[] = [];
    const client = await clientOf([stalled.origin, other.url], { observer: observerOf(reasons) });
    for (const _turn of [1, 2]) {
      expect(await outcomeOf(client.stream(readOf()).then(drained))).toBe(200);
    }
    expect(reasons[0]).toBe('silent');
  });
});
