import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import type { ReleaseHoldsRequest } from '@capability-router/contracts';
import { newAccountId, newExecutionId, systemClock } from '@capability-router/kernel';
import { pino } from 'pino';
import { createHttpClients } from '../clients/create-clients.js';
import { generateInternalKeys } from '../tokens/generate-keys.js';
import { InternalTokens } from '../tokens/internal-tokens.js';
import { HoldReleases } from './hold-releases.js';

/** As many as all that a process which died was running. */
const LEFT_BEHIND = 300;
const nowMs = systemClock.nowMs();

it('gives back what a caller waits for while billing is slow with what may have been held for others', async () => {
  const released: string[] = [];
  let ask: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => (ask = resolve));
  let hear: () => void = () => undefined;
  const isHeard = new Promise<void>((resolve) => (hear = resolve));
  const billing = createServer((request, response) => {
    void text(request).then((body) => {
      const { billableIds, forestalled = [] } = JSON.parse(body) as ReleaseHoldsRequest;
      // One that has to do with what may have been held is not answered.
      if (forestalled.length > 0) return ask();
      released.push(...billableIds);
      response.writeHead(200).end(JSON.stringify({ released: billableIds.length }));
      hear();
    });
  });
  await new Promise<void>((resolve) => billing.listen(0, '127.0.0.1', resolve));
  const { port } = billing.address() as AddressInfo;
  const { signingKeys, jwks } = generateInternalKeys();
  const identity = { service: 'execution', signingKey: signingKeys.execution, jwks, clock: systemClock } as const;
  const http = createHttpClients(() => [`http://127.0.0.1:${port}`], await InternalTokens.create(identity));
  const releases = new HoldReleases(http.clients.billing, pino({ level: 'silent' }));
  try {
    const accountId = newAccountId(nowMs);
    const left = Array.from({ length: LEFT_BEHIND }, () => newExecutionId(nowMs));
    await Promise.all(left.map((billableId) => releases.forestall({ billableId, accountId, amountMicroCredits: '1' })));
    await isAsked;
    const own = newExecutionId(nowMs);
    // Billing answers none of the others, so this one is heard beside them or not at all.
    await releases.release(own);
    await isHeard;
    expect(released).toEqual([own]);
  } finally {
    billing.closeAllConnections();
    billing.close();
    await http.close();
  }
});
