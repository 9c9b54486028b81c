import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { PayloadLookupRequest } from '@capability-router/contracts';
import { newAccountId, systemClock, uuidv7 } from '@capability-router/kernel';
import { generateInternalKeys, InternalTokens } from '@capability-router/service-kit';
import { createHttpClients } from '@capability-router/service-kit/http-clients';
import { MAX_DETAIL_BYTES, PayloadReader } from './payload-reader.js';

type Owner = 'execution' | 'registry';
type Answer = (ids: readonly string[], response: ServerResponse) => void;

/** Milliseconds for what is not about time: however slow the machine. */
const PATIENT_MS = 50_000;

const rowsOf = (owner: Owner, count: number) =>
  Array.from({ length: count }, () => ({ id: uuidv7(systemClock.nowMs()), source_system: owner }));

/** Each id with a payload of `bytes` characters. */
const withText =
  (bytes: number): Answer =>
  (ids, response) => {
    const payloads = Object.fromEntries(ids.map((id) => [id, { requestPayload: { text: 'x'.repeat(bytes) } }]));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ payloads }));
  };
const refuse: Answer = (_ids, response) => response.writeHead(500).end();
const hangUp: Answer = (_ids, response) => response.destroy();

const accountId = newAccountId(systemClock.nowMs());
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function listen(answer: Answer): Promise<{ url: string; asked: string[][] }> {
  const asked: string[][] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      asked.push([...body.usageEventIds]);
      answer(body.usageEventIds, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function bodyOf(request: IncomingMessage): Promise<PayloadLookupRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as PayloadLookupRequest;
}

async function readerOf(answers: Record<Owner, Answer>) {
  const execution = await listen(answers.execution);
  const registry = await listen(answers.registry);
  const { signingKeys, jwks } = generateInternalKeys();
  const signingKey = signingKeys.billing;
  const tokens = await InternalTokens.create({ service: 'billing', signingKey, jwks, clock: systemClock });
  const { clients, close } = createHttpClients((name) => {
    if (name === 'execution') return [execution.url];
    return name === 'registry' ? [registry.url] : undefined;
  }, tokens);
  cleanups.unshift(close);
  return { reader: new PayloadReader(clients), execution, registry };
}

describe('the payloads of a list', () => {
  it('come from whoever took the request, each asked for its own', async () => {
    const { reader, execution, registry } = await readerOf({ execution: withText(1), registry: withText(1) });
    const [calls, searches] = [rowsOf('execution', 150), rowsOf('registry', 2)];
    const found = await reader.read(accountId, [...calls, ...searches], PATIENT_MS);
    expect(Object.keys(found).sort()).toEqual([...calls, ...searches].map(({ id }) => id).sort());
    expect(execution.asked.flat()).toEqual(calls.map(({ id }) => id));
    expect(registry.asked.flat()).toEqual(searches.map(({ id }) => id));
  });

  it('end where the budget of bytes does, newest rows first, and nobody is asked for the rest', async () => {
    const { reader, execution } = await readerOf({ execution: withText(16_000), registry: refuse });
    const rows = rowsOf('execution', 2_000);
    const found = await reader.read(accountId, rows, PATIENT_MS);
    const count = Object.keys(found).length;
    expect(Object.keys(found)).toEqual(rows.slice(0, count).map(({ id }) => id));
    expect(Buffer.byteLength(JSON.stringify(Object.values(found)))).toBeLessThanOrEqual(MAX_DETAIL_BYTES + count + 1);
    expect(count).toBeGreaterThan(500);
    expect(execution.asked.flat().length).toBeLessThan(count + 101);
  });

  it.each([
    ['answers 500', refuse],
    ['hangs up', hangUp],
    ['answers no JSON', (_ids: readonly string[], response: ServerResponse) => response.end('no')],
  ])('of an owner that %s are left out, and it is not asked again', async (_what, answer) => {
    const { reader, execution, registry } = await readerOf({ execution: answer, registry: withText(1) });
    const [calls, searches] = [rowsOf('execution', 250), rowsOf('registry', 250)];
    const found = await reader.read(
      accountId,
      calls.flatMap((call, index) => [call, searches[index] ?? call]),
      PATIENT_MS,
    );
    expect(Object.keys(found)).toEqual(searches.map(({ id }) => id));
    expect(execution.asked).toHaveLength(1);
    expect(registry.asked.flat()).toHaveLength(250);
  });

  it('are not waited for beyond the time of one answer, however many rows are left', async () => {
    const silent: Answer = (_ids, response) => void setTimeout(() => response.destroy(), 20_000).unref();
    const { reader, execution, registry } = await readerOf({ execution: silent, registry: silent });
    expect(await reader.read(accountId, [...rowsOf('execution', 300), ...rowsOf('registry', 300)])).toEqual({});
    expect(execution.asked).toHaveLength(1);
    expect(registry.asked).toHaveLength(0);
  }, 30_000);
});
