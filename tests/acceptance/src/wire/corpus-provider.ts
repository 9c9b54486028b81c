import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { admin, newAccount } from '../support/accounts.js';
import { eventually } from '../support/eventually.js';
import { execute } from '../support/execute.js';
import { call } from '../support/http.js';
import type { JsonObject } from '../support/json.js';
import { listen } from '../support/listen.js';
import type { Transcript } from './transcript.js';

/** Replicas that take requests in turn, at most, squared: gateway and service. */
const TURNS = 4;
/** Milliseconds; the tool that is too slow has less time than that. */
const SLOW_MS = 3_000;
const TIMEOUT_MS = 300;

/** A provider on the loopback with tools that nobody but the corpus knows, so that no other test changes an answer. */
export interface CorpusProvider {
  readonly id: string;
  /** `<id>.things.<name>.v1` */
  idOf(name: ToolName): string;
  /** Another provider with the same tools, that is never called, so that its statistics stay empty. */
  readonly shelf: {
    readonly id: string;
    /** In the description of its tool `count`, and nowhere else. */
    readonly word: string;
    idOf(name: ToolName): string;
  };
  /** The members that a manifest of another provider needs to reach the same server at `path`. */
  binding(path: string): JsonObject;
  /** From now on the tool `held` keeps its callers waiting; the promise ends when one waits. */
  hold(): Promise<void>;
  /** The callers of `held` are answered, those that wait too. */
  release(): void;
  /** The names of what is random. */
  introduceTo(wire: Transcript): void;
  close(): Promise<void>;
}

/** The server's answers at `/<name>`. */
const answers = {
  list: (response, size) =>
    json(response, { things: Array.from({ length: size }, (_, index) => ({ index, name: `thing ${index} ü` })) }),
  count: (response, size) => json(response, { rows: Array.from({ length: size }, (_, index) => ({ index })) }),
  free: (response, size) => json(response, { size, note: null, ratio: 0.1 }),
  cached: (response, size) => json(response, { size }),
  regional: (response, size) => json(response, { size }),
  keyed: (response, size) => json(response, { size }),
  empty: (response) => json(response, []),
  partial: (response, size) => json(response, { status: 'PARTIAL', rows: Array.from({ length: size }, () => ({})) }),
  failing: (response) =>
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"message":"out of things"}'),
  limiting: (response) => response.writeHead(429, { 'retry-after': '60' }).end(),
  denying: (response) => response.writeHead(403).end(),
  garbled: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"things"'),
  dropping: (response) => response.destroy(),
  inner: (response, size) => json(response, { size }),
  held: (response, size) => json(response, { size }),
  slow: (response, size) => void setTimeout(() => json(response, { size }), SLOW_MS).unref(),
} satisfies Record<string, (response: ServerResponse, size: number) => void>;
export type ToolName = keyof typeof answers;

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The members that differ from the other tools, which cost half a credit a call. */
const terms: Partial<Record<ToolName, JsonObject>> = {
  count: { price: { amount_credits: '0.001', metering: { kind: 'result_rows', path: 'rows', max_units: 100 } } },
  free: { price: { amount_credits: '0' } },
  cached: { price: { amount_credits: '0.5', cache_hit_amount_credits: '0.125' }, cache: { ttl_seconds: 600 } },
  regional: { region: 'US|CA' },
  partial: {
    price: { amount_credits: '0.5', metering: { kind: 'result_rows', path: 'rows', max_units: 5 } },
    result: { partial_when: "$[?$.status == 'PARTIAL']" },
  },
  slow: { timeout_ms: TIMEOUT_MS },
  // Not among the networks that the provider may be reached at.
  inner: { binding: { kind: 'http', method: 'GET', url: 'http://127.0.0.2:8080/inner' } },
};

/** Letters only, so that no other word is near it. */
const randomWord = (prefix: string): string => `${prefix}${randomBytes(6).toString('hex').replaceAll(/\d/g, 'k')}`;

export async function startCorpusProvider(): Promise<CorpusProvider> {
  const [id, shelfId, word] = [randomWord('zw'), randomWord('zy'), randomWord('zx')];
  let gate: { readonly isOpen: Promise<void>; readonly open: () => void; readonly arrived: () => void } | undefined;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const name = url.pathname.slice(1);
    const size = Number(url.searchParams.get('size') ?? 0);
    const answer = (): void => {
      if (name in answers) answers[name as ToolName](response, size);
      else json(response, { you_sent: `${request.method} ${url.pathname}` });
    };
    if (name !== 'held' || gate === undefined) {
      answer();
      return;
    }
    gate.arrived();
    void gate.isOpen.then(answer);
  });
  await listen(server);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: CorpusProvider = {
    id,
    idOf: (name) => toolIdOf(id, name),
    shelf: { id: shelfId, word, idOf: (name) => toolIdOf(shelfId, name) },
    binding: (path) => ({ kind: 'http', method: 'GET', url: `${origin}/${path}` }),
    hold() {
      return new Promise((arrived) => {
        let open = (): void => undefined;
        const isOpen = new Promise<void>((resolve) => (open = resolve));
        gate = { isOpen, open, arrived };
      });
    },
    release() {
      gate?.open();
      gate = undefined;
    },
    introduceTo(wire) {
      wire.name('provider', id);
      wire.name('shelf', shelfId);
      wire.name('word', word);
      wire.name('provider origin', origin);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const names = Object.keys(answers) as ToolName[];
  await Promise.all(
    [id, shelfId].map((providerId) =>
      admin('PUT', `/providers/${providerId}`, {
        ...manifestOf(provider, providerId),
        name: { en: `Things of ${providerId}`, zh: `${providerId} 的东西` },
        tools: names.map((name) => toolOf(provider, providerId, name)),
      }),
    ),
  );
  await knownEverywhere(provider, names);
  return provider;
}

const toolIdOf = (providerId: string, name: ToolName): string => `${providerId}.things.${name}.v1`;

const toolOf = (provider: CorpusProvider, providerId: string, name: ToolName): JsonObject => ({
  tool_id: toolIdOf(providerId, name),
  name: { en: `${name} of ${providerId}`, zh: `${providerId} 的 ${name}` },
  description: {
    en: `Gives the ${name} things of ${providerId}.${
      toolIdOf(providerId, name) === provider.shelf.idOf('count') ? ` Counts by ${provider.shelf.word}.` : ''
    }`,
  },
  parameters_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 0, maximum: 500, description: 'How many things.' },
      colour: { type: 'string', enum: ['red', 'blue'], description: 'Of which colour.' },
    },
  },
  examples: [{ parameters: { size: 3 } }],
  price: { amount_credits: '0.5' },
  binding: { ...provider.binding(name), ...(name === 'keyed' ? { auth: { kind: 'bearer' } } : {}) },
  ...(name === 'list' ? { capabilities: [{ id: `${providerId}.things.list`, tags: ['things'] }] } : {}),
  ...terms[name],
});

/** A provider with one tool, `<id>.things.get.v1`, for the slices that change what providers are. */
export const manifestOf = (provider: CorpusProvider, id: string, more: JsonObject = {}): JsonObject => ({
  provider_id: id,
  name: { en: id },
  description: { en: 'A thing.' },
  egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
  tools: [thingOf(provider, id)],
  ...more,
});

/** That tool; it sends a bearer token. */
export const thingOf = (provider: CorpusProvider, id: string, more: JsonObject = {}): JsonObject => ({
  tool_id: `${id}.things.get.v1`,
  name: { en: `Get ${id}` },
  description: { en: `Gets the thing of ${id}.` },
  parameters_schema: { type: 'object', additionalProperties: false, properties: {} },
  examples: [{ parameters: {} }],
  price: { amount_credits: '0.5' },
  binding: { ...provider.binding('thing'), auth: { kind: 'bearer' } },
  ...more,
});

/** Every replica of registry and of execution knows the tools; without parameters nothing is called. */
async function knownEverywhere(provider: CorpusProvider, names: readonly ToolName[]): Promise<void> {
  const { key } = await newAccount(1);
  const ids = names.flatMap((name) => [provider.idOf(name), provider.shelf.idOf(name)]);
  await eventually(async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const inspected = await call('POST', '/tools/by-ids', { key, body: { tool_ids: ids } });
      expect(inspected.json['total']).toBe(ids.length);
      const refused = await execute(key, { toolId: provider.idOf('list'), parameters: {} });
      expect(refused.json['details']).toEqual([expect.objectContaining({ type: 'missing' })]);
    }
  });
}
