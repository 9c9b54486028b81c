import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient, NoAnswerError, RefusedError, type ClientOptions, type Schema } from '@capability-router/client';
import { newAccount, newKey, type TestAccount } from './support/accounts.js';
import { settledUsageOf } from './support/audit.js';
import { nextOrigin } from './support/environment.js';
import { listen } from './support/listen.js';
import { failingCall, paidCall, priceOf } from './support/tools.js';

/** Answers that the next requests lose on their way, after the router has given them. */
let losses = 0;
/** Passes each request on to the next replica. */
let road: Server;
let account: TestAccount;

beforeAll(async () => {
  road = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const headers = new Headers();
      for (const name of ['authorization', 'content-type', 'idempotency-key']) {
        const value = request.headers[name];
        if (typeof value === 'string') headers.set(name, value);
      }
      const { method = 'GET', url = '/' } = request;
      const reply = await fetch(new URL(url, nextOrigin()), {
        method,
        headers,
        ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
      });
      const text = await reply.text();
      losses -= 1;
      if (losses >= 0) request.socket.destroy();
      else response.writeHead(reply.status, [...reply.headers].flatMap(kept)).end(text);
    });
  });
  await listen(road);
});
/** Without those of the connection that the answer came by, and of a body that `fetch` has unpacked. */
const kept = (header: [name: string, value: string]): string[] =>
  /^(connection|keep-alive|transfer-encoding|content-(length|encoding))$/.test(header[0]) ? [] : header;
afterAll(async () => {
  await new Promise((resolve) => {
    road.close(resolve);
    road.closeAllConnections();
  });
});
beforeEach(async () => {
  losses = 0;
  account = await newAccount();
});

const routerWith = (options: Partial<ClientOptions> = {}) =>
  createClient({
    baseUrl: `http://127.0.0.1:${(road.address() as AddressInfo).port}`,
    apiKey: account.key,
    ...options,
  });
const paid = { tool_id: paidCall.toolId, parameters: paidCall.parameters };
const feedOf = async (router: ReturnType<typeof routerWith>): Promise<Schema<'UsageItem'>[]> => {
  const items: Schema<'UsageItem'>[] = [];
  for await (const item of router.everyItem('/auth/usage/history/v2/summary', { kind: 'call', page_size: 1 })) {
    items.push(item);
  }
  return items;
};

describe('the client of the npm package', () => {
  it('leads from a need to a charge that answer, audit and ledger agree on', async () => {
    const router = routerWith();
    const found = await router.POST('/search', { body: { query: 'public holidays of a country', limit: 10 } });
    expect(found.data.results.map(({ tool_id: id }) => id)).toContain(paidCall.toolId);
    const { data: inspected } = await router.POST('/tools/by-ids', { body: { tool_ids: [paidCall.toolId] } });
    expect(inspected.results[0]?.params.length).toBeGreaterThan(0);
    const { data: probed } = await router.POST('/tools/probe', { body: { ...paid, checks: ['schema', 'quote'] } });
    expect(probed.schema?.valid).toBe(true);

    const { data: call } = await router.POST('/tools/execute', { body: { ...paid, search_id: found.data.search_id } });
    expect(call.success).toBe(true);
    const row = await router.settledUsage(call.execution_id);
    expect([row.charge_outcome, row.settled_amount_credits]).toEqual(['charged', call.cost]);
    const entry = await router.GET('/auth/credits/ledger/{entry_id}', {
      params: { path: { entry_id: row.credits_ledger_entry_id ?? '' } },
    });
    expect(entry.data.data).toMatchObject({ amount_credits: -(call.cost ?? 0), execution_id: call.execution_id });
    expect((await router.GET('/auth/credits')).data.data.remaining_credits).toBe(
      account.initialCredits - (call.cost ?? 0),
    );
    const { data: text } = await router.GET('/auth/credits/ledger/export', { parseAs: 'text' });
    expect(text).toContain(entry.data.data.id);
  });

  it('makes and pays a call once whose answers are lost on their way', async () => {
    losses = 2;
    const { data, response, idempotencyKey } = await routerWith().POST('/tools/execute', { body: paid });
    expect([data.success, response.headers.get('idempotency-replayed'), losses]).toEqual([true, 'true', -1]);
    const params = { query: { key: idempotencyKey ?? '' } };
    const looked = await routerWith().GET('/tools/executions/by-idempotency-key', { params });
    expect(looked.data.data.execution_id).toBe(data.execution_id);
    await settledUsageOf(account.key, data.execution_id);
    const price = await priceOf(account.key, paidCall.toolId);
    expect((await routerWith().GET('/auth/credits')).data.data.remaining_credits).toBe(account.initialCredits - price);
    expect((await feedOf(routerWith())).map(({ execution_id: id }) => id)).toEqual([data.execution_id]);
  });

  it('sends a call without a key once, and says that it may have been made', async () => {
    losses = 1;
    const sent = routerWith({ makeIdempotencyKeys: false }).POST('/tools/execute', { body: paid });
    await expect(sent).rejects.toBeInstanceOf(NoAnswerError);
    await expect(sent).rejects.toMatchObject({ reason: 'lost', attempts: 1, idempotencyKey: undefined });
    expect(losses).toBe(0);
  });

  it('reads every page of a list with a cursor', async () => {
    const router = routerWith();
    const ids: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const { data } = await router.POST('/tools/execute', {
        body: { tool_id: failingCall.toolId, parameters: failingCall.parameters },
      });
      ids.push((await router.settledUsage(data.execution_id)).execution_id ?? '');
    }
    const seen = (await feedOf(router)).map(({ execution_id: id }) => id);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it('tells what was refused, why, and by which id the request is found', async () => {
    const router = routerWith();
    const reader = await newKey(account.accountId, ['read']);
    const path = { execution_id: `exec_${'0'.repeat(32)}` };
    // Each is sent when its turn comes: a promise that nobody waits for yet must not reject.
    const refusals: readonly (readonly [() => Promise<unknown>, number])[] = [
      [() => router.GET('/tools/executions/{execution_id}', { params: { path } }), 404],
      [() => router.POST('/tools/execute', { body: { tool_id: paidCall.toolId, parameters: {} } }), 422],
      [() => routerWith({ apiKey: `sk-${'x'.repeat(32)}` }).GET('/auth/credits'), 401],
      [() => routerWith({ apiKey: reader.key }).POST('/tools/execute', { body: paid }), 403],
    ];
    for (const [send, status] of refusals) {
      const sent = send();
      await expect(sent).rejects.toBeInstanceOf(RefusedError);
      await expect(sent).rejects.toMatchObject({
        status,
        requestId: expect.stringMatching(/^[\x21-\x7e]+$/),
        attempts: 1,
        ...(status === 403 ? { code: 'insufficient_scope' } : {}),
      });
    }
  });
});
