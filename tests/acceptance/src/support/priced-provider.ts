import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { fullResponse } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './accounts.js';
import { listCharges, settledUsageOf } from './audit.js';
import { adminKey } from './environment.js';
import { eventually } from './eventually.js';
import { execute } from './execute.js';
import { expectShape } from './expect-shape.js';
import { call, send, type Reply } from './http.js';
import { asArray, asNumber, asObject, type JsonObject } from './json.js';
import { listen } from './listen.js';
import { micro } from './money.js';

/** The size that the provider takes a while for, so that calls meet. */
export const SLOW_SIZE = 77;
const SLOW_MS = 500;

/** A provider on the loopback that answers `size` rows, tokens and characters, with tools of any price. */
export interface PricedProvider {
  /** Requests that reached it. */
  readonly asked: number;
  idOf(name: string): string;
  /** Sends the whole of its manifest. */
  put(tools: readonly JsonObject[], dryRun?: boolean): Promise<Reply>;
  tool(name: string, price: JsonObject, over?: JsonObject): JsonObject;
  call(
    account: TestAccount,
    name: string,
    parameters: JsonObject,
    headers?: Record<string, string>,
    more?: JsonObject,
  ): Promise<Reply>;
  inspect(account: TestAccount, name: string): Promise<JsonObject>;
  quote(account: TestAccount, name: string, parameters: JsonObject): Promise<JsonObject>;
  /** Publishes tools by name, and waits until every replica knows them. */
  publish(tools: Readonly<Record<string, { readonly price: JsonObject; readonly over?: JsonObject }>>): Promise<void>;
  close(): Promise<void>;
}

export async function startPricedProvider(): Promise<PricedProvider> {
  // Letters only, so that nothing else has it.
  const providerId = `zp${randomBytes(6).toString('hex').replaceAll(/\d/g, 'k')}`;
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    const size = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('size'));
    const rows = Array.from({ length: size }, (_, index) => ({ index }));
    const answer = JSON.stringify({ rows, usage: { tokens: size }, filling: 'x'.repeat(size) });
    const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    setTimeout(send, size === SLOW_SIZE ? SLOW_MS : 0);
  });
  await listen(server);
  const binding = {
    kind: 'http',
    method: 'GET',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/things`,
  };
  const provider: PricedProvider = {
    get asked() {
      return asked;
    },
    idOf: (name) => `${providerId}.things.${name}.v1`,
    put: (tools, dryRun = false) =>
      send('PUT', `/admin/v1/providers/${providerId}`, {
        key: adminKey,
        query: dryRun ? { dry_run: true } : {},
        body: {
          provider_id: providerId,
          name: { en: providerId },
          description: { en: 'Things.' },
          egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
          tools,
        },
      }),
    tool: (name, price, over = {}) => ({
      tool_id: provider.idOf(name),
      name: { en: name },
      description: { en: `Tool ${name} of a provider of the acceptance suite.` },
      parameters_schema: parametersSchema,
      examples: [{ parameters: { size: 3 } }],
      price,
      binding,
      ...over,
    }),
    call: (account, name, parameters, headers = {}, more = {}) =>
      execute(account.key, { toolId: provider.idOf(name), parameters }, more, { headers }),
    async inspect({ key }, name) {
      const reply = await call('POST', '/tools/by-ids', { key, body: { tool_ids: [provider.idOf(name)] } });
      return asObject(asArray(reply.json['results'])[0], 'result');
    },
    async quote({ key }, name, parameters) {
      const query = { tool_id: provider.idOf(name) };
      const reply = await call('POST', '/tools/probe', { key, query, body: { parameters, checks: ['quote'] } });
      return asObject(reply.json['quote'], 'quote');
    },
    async publish(tools) {
      const reply = await provider.put(
        Object.entries(tools).map(([name, { price, over }]) => provider.tool(name, price, over)),
      );
      expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
      await Promise.all(Object.keys(tools).map((name) => known(provider, name)));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}

const parametersSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 0, maximum: 500, description: 'How much the provider answers.' },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    text: { type: 'string', maxLength: 2_000 },
  },
};

/** Every replica knows the tool when none says any more that there is none; without parameters nothing is called. */
async function known(provider: PricedProvider, name: string): Promise<void> {
  // An account of its own, so that asking does not use up the limit of the account that calls.
  const account = await newAccount();
  await eventually(async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const reply = await provider.call(account, name, {});
      expect(reply.json['details']).toEqual([expect.objectContaining({ type: 'missing' })]);
      expect((await provider.inspect(account, name))['tool_id']).toBe(provider.idOf(name));
    }
  });
}

export const linesOf = (bill: unknown): JsonObject[] =>
  asArray(asObject(bill, 'bill')['charge_lines'], 'charge_lines').map((line) => asObject(line));

/** The answer, the audit and the ledger of a call all say the same amount, to the micro-credit. */
export async function agreedAmountOf({ key }: TestAccount, reply: Reply): Promise<number> {
  expectShape(reply.json, fullResponse);
  const bill = asObject(reply.json['billing'], 'billing');
  const amount = micro(bill['list_amount_credits']);
  const lines = linesOf(bill);
  expect(lines.reduce((sum, line) => sum + micro(line['amount_credits']), 0)).toBe(amount);
  expect(micro(reply.json['cost'])).toBe(amount);
  const usage = await settledUsageOf(key, reply.json['execution_id']);
  const frozen = asObject(usage['pre_settlement_bill'], 'pre_settlement_bill');
  expect({ summary: frozen['summary'], lines: frozen['charge_lines'] }).toEqual({ summary: bill['summary'], lines });
  expect(micro(usage['requested_amount_credits'])).toBe(amount);
  const quantity = lines.reduce((sum, line) => sum + asNumber(line['quantity']), 0);
  expect(usage['chargeable_quantity']).toBe(lines.length === 0 ? null : quantity);
  const entries = (await listCharges(key)).filter((entry) => entry['execution_id'] === reply.json['execution_id']);
  expect(entries.map((entry) => -micro(entry['amount_credits']))).toEqual(amount === 0 ? [] : [amount]);
  return amount;
}
