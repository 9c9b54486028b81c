import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HOLD_EXPIRES_AT } from '@capability-router/contracts';
import { newAccountId, newSearchId, systemClock } from '@capability-router/kernel';
import { createHttpClients } from '../clients/create-clients.js';
import { generateInternalKeys } from '../tokens/generate-keys.js';
import { InternalTokens } from '../tokens/internal-tokens.js';
import { HoldClient } from './hold-client.js';

const TIMEOUT_MS = 10_000;
const nowMs = systemClock.nowMs();
const hold = {
  searchId: newSearchId(nowMs),
  accountId: newAccountId(nowMs),
  amountMicroCredits: '250000',
  expiresAt: HOLD_EXPIRES_AT,
};

describe('a hold that is asked for', () => {
  let server: Server | undefined;
  let closeClients: () => Promise<void> = () => Promise.resolve();
  const requests: unknown[] = [];

  /** A client of a billing on the loopback that answers this; one that never answers where it is undefined. */
  async function askedOf(answer: readonly [status: number, body: string] | undefined): Promise<HoldClient> {
    requests.length = 0;
    const listening = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        requests.push({ path: request.url, body: JSON.parse(body), assertion: request.headers['x-account-assertion'] });
        if (answer !== undefined) response.writeHead(answer[0]).end(answer[1]);
      });
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const { port } = listening.address() as AddressInfo;
    const { signingKeys, jwks } = generateInternalKeys();
    const identity = { service: 'registry', signingKey: signingKeys.registry, jwks, clock: systemClock } as const;
    const http = createHttpClients(() => [`http://127.0.0.1:${port}`], await InternalTokens.create(identity));
    closeClients = http.close;
    return new HoldClient(http.clients.billing);
  }

  afterEach(async () => {
    server?.closeAllConnections();
    server?.close();
    await closeClients();
  });

  const budgets = [{ scope: 'key', limitMicroCredits: '5', availableMicroCredits: '2' }];
  it.each([
    [200, { status: 'held', availableMicroCredits: '7' }, { status: 'held', available: 7n, covered: false }],
    [
      200,
      { status: 'held', availableMicroCredits: '7', covered: true },
      { status: 'held', available: 7n, covered: true },
    ],
    [402, { status: 'insufficient_credits', availableMicroCredits: '3' }, { available: 3n }],
    [402, { status: 'budget_exceeded', availableMicroCredits: '9', budgets }, { available: 9n, budgets }],
    [409, { status: 'conflict' }, {}],
  ] as const)('is what billing says to it: %i %j', async (status, body, outcome) => {
    const client = await askedOf([status, JSON.stringify(body)]);
    expect(await client.place(hold, { assertion: 'an assertion', timeoutMs: TIMEOUT_MS })).toEqual({
      status: body.status,
      ...outcome,
    });
    expect(requests).toEqual([{ path: '/internal/holds', body: hold, assertion: 'an assertion' }]);
  });

  it.each([
    ['fails', 500, '{}'],
    ['says something else than its status', 200, '{"status":"insufficient_credits","availableMicroCredits":"1"}'],
    ['says something new', 402, '{"status":"later","availableMicroCredits":"1"}'],
    ['leaves out the available credits', 200, '{"status":"held"}'],
    ['answers nonsense', 200, '<html>'],
    ['answers nothing', 200, 'null'],
  ])('is not known to be placed where billing %s', async (_what, status, body) => {
    const client = await askedOf([status, body]);
    expect(await client.place(hold, { assertion: undefined, timeoutMs: TIMEOUT_MS })).toEqual({
      status: 'unavailable',
      cause: expect.any(Error),
    });
  });

  it('is given up when its time is over', async () => {
    const client = await askedOf(undefined);
    expect(await client.place(hold, { assertion: undefined, timeoutMs: 50 })).toEqual({
      status: 'unavailable',
      cause: expect.any(Error),
    });
  });
});
