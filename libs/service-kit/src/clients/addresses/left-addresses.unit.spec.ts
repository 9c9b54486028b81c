import { afterEach, describe, expect, it } from '@jest/globals';
import { startStalledListener } from '../../testing/stalled-listener.js';
import type { Handler } from '../../testing/replica.js';
import {
  call,
  clientOf,
  closeAll,
  closeLater,
  drained,
  outcomeOf,
  readOf,
  replicaOf,
} from '../test-support/clients.js';

afterEach(closeAll);

/** Whoever is there now believes no token of ours, and knows no path. */
const stranger: Handler = (_request, response) => response.writeHead(401).end('{"status":"failure"}');

describe("an address that is not the service's any more", () => {
  it.each([undefined, 'identity'])(
    'takes no answer of another server (%s) for one of the service: the address has left, and the request goes elsewhere',
    async (name) => {
      const other = await replicaOf();
      other.name = 'billing';
      const gone = await replicaOf(stranger, false);
      gone.name = name;
      const client = await clientOf([other.url, gone.url]);
      expect(await Promise.all(Array.from({ length: 10 }, () => outcomeOf(client.request(call))))).toEqual(
        Array.from({ length: 10 }, () => 200),
      );
      const { seen } = gone;
      expect(seen).toBeGreaterThan(0);
      for (let sent = 0; sent < 10; sent += 1) expect(await outcomeOf(client.request(call))).toBe(200);
      expect(gone.seen).toBe(seen);
      const alone = await clientOf([gone.url]);
      expect(await outcomeOf(alone.request(call))).toBe('unwritten');
      expect(await outcomeOf(alone.stream(readOf()).then(drained))).toBe('unwritten');
      const both = await clientOf([gone.url, other.url]);
      for (const _turn of [1, 2]) expect(await outcomeOf(both.stream(readOf()).then(drained))).toBe(200);
    },
  );

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
    const none = (): void => undefined;
    const observer = {
      ejected: (_of: string, _url: string, why: string) => void reasons.push(why),
      readmitted: none,
      left: none,
    };
    const client = await clientOf([stalled.origin, other.url], { observer });
    for (const _turn of [1, 2]) {
      expect(await outcomeOf(client.stream(readOf()).then(drained))).toBe(200);
    }
    expect(reasons[0]).toBe('silent');
  });
});
