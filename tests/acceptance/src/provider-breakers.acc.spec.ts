import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { remainingCredits } from './support/audit.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { send, type Reply } from './support/http.js';
import { asArray, asObject, asString, type JsonObject } from './support/json.js';
import { listen } from './support/listen.js';

const path = '/admin/v1/provider-breakers';
/** Letters only, so that nothing else has it. */
const provider = `zb${randomBytes(6).toString('hex').replaceAll(/\d/g, 'k')}`;
const toolId = `${provider}.things.get.v1`;
/** Calls that are sent at once: as many as a replica has to see fail. */
const CALLS_AT_ONCE = 10;
/** More in a row than there are replicas, which answer in turn. */
const REPLICAS_SEEN = 4;
/** Milliseconds between two looks whether a provider is back: it is left alone for seconds. */
const LOOK_INTERVAL_MS = 250;
const TIMEOUT_MS = 180_000;

let server: Server;
let status = 503;
beforeAll(async () => {
  server = createServer((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"size":3}'),
  );
  await listen(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/things`;
  const reply = await send('PUT', `/admin/v1/providers/${provider}`, {
    key: adminKey,
    body: {
      provider_id: provider,
      name: { en: provider },
      description: { en: 'Things that fail.' },
      egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
      tools: [
        {
          tool_id: toolId,
          name: { en: 'get' },
          description: { en: 'A tool of a provider of the acceptance suite that fails.' },
          parameters_schema: { type: 'object', additionalProperties: false, properties: {} },
          examples: [{ parameters: {} }],
          price: { amount_credits: '0.5' },
          binding: { kind: 'http', method: 'GET', url },
        },
      ],
    },
  });
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
});
afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

const callOnce = ({ key }: TestAccount): Promise<Reply> => execute(key, { toolId, parameters: {} });
const reasonOf = ({ json }: Reply): unknown => asObject(json['execution_outcome'])['reason_code'];

/** The replicas' answers about the provider, one after the other. */
async function breakers(): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let turn = 0; turn < REPLICAS_SEEN; turn += 1) {
    const reply = await send('GET', path, { key: adminKey });
    expect({ status: reply.status, body: reply.json }).toMatchObject({ status: 200, body: { status: 'success' } });
    const { replica_id: replicaId, items, ...more } = asObject(reply.json['data']);
    expect([asString(replicaId), more]).toEqual([expect.stringMatching(/\S/), {}]);
    const all = asArray(items).map((item): JsonObject => asObject(item));
    for (const item of all) {
      expect(item).toEqual({
        provider_id: expect.any(String),
        breaker: expect.stringMatching(/^(?:open|half_open)$/),
      });
    }
    seen.push(all.find((item) => item['provider_id'] === provider)?.['breaker']);
  }
  return seen;
}

describe('the list of providers that are left alone', () => {
  it(
    'names one that keeps failing, whose calls are refused and not charged, until it answers again',
    async () => {
      const account = await newAccount();
      // Every replica knows the tool: else calls at once would use up the account's limit before any of them fails.
      await eventually(async () => {
        for (let turn = 0; turn < REPLICAS_SEEN; turn += 1) {
          expect(reasonOf(await callOnce(account))).not.toBe('validation_error');
        }
      });
      await eventually(async () => {
        const replies = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => callOnce(account)));
        expect(replies.map(reasonOf)).toEqual(replies.map(() => 'tool_unavailable'));
        for (const one of await breakers()) expect(one).toMatch(/open/);
      });
      await eventually(async () => expect(await remainingCredits(account.key)).toBe(account.initialCredits));
      status = 200;
      await eventually(async () => {
        await sleep(LOOK_INTERVAL_MS);
        expect(reasonOf(await callOnce(account))).toBe('result.valid');
        expect(await breakers()).toEqual(Array(REPLICAS_SEEN).fill(undefined));
      });
    },
    TIMEOUT_MS,
  );

  it('is for administrators', async () => {
    const { key } = await newAccount(0);
    expect((await send('GET', path, { key })).status).toBe(403);
    expect((await send('GET', path)).status).toBe(401);
  });
});
