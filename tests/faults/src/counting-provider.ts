import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from './load.js';

/** A provider on the loopback with a paid and a free tool, a paid one that it always refuses to do, and a slow paid one; it counts the requests for each `id` that it was asked for. */
export interface CountingProvider {
  readonly paidToolId: string;
  readonly freeToolId: string;
  readonly refusedToolId: string;
  readonly slowToolId: string;
  /** Requests by the `id` that they named. */
  readonly requests: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

const THINGS = '/things';
const REFUSED = '/refused';
const SLOW = '/slow';
/** Milliseconds that it takes to answer: a kill meets calls on their way. */
const ANSWER_MS = 100;
/** Longer than a plan whose second attempt begins beside such a first. */
const SLOW_ANSWER_MS = 5_000;
const KNOWN_TIMEOUT_MS = 180_000;

/** Starts it and publishes its tools; ready when every replica behind these gateways knows them. */
export async function startCountingProvider(
  origins: readonly string[],
  adminKey: string,
  priceCredits: number,
): Promise<CountingProvider> {
  const requests = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = (request.url ?? '').split('/').at(-1) ?? '';
    requests.set(id, (requests.get(id) ?? 0) + 1);
    const status = request.url?.startsWith(REFUSED) === true ? 422 : 200;
    const isSlow = request.url?.startsWith(SLOW) === true;
    setTimeout(
      () => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ id, size: 3 }));
      },
      isSlow ? SLOW_ANSWER_MS : ANSWER_MS,
    );
  });
  // Longer than a deployment keeps an idle connection, so that no call meets one that is being closed.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const providerId = `faults${Date.now().toString(36).replaceAll(/\d/g, 'x')}`;
  const { port } = server.address() as AddressInfo;
  const tool = (name: string, price: number, folder = THINGS): object => ({
    tool_id: `${providerId}.things.${name}.v1`,
    name: { en: name },
    description: { en: 'A tool of the fault tests.' },
    parameters_schema: {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: { id: { type: 'string', maxLength: 50 } },
    },
    examples: [{ parameters: { id: 'a' } }],
    price: { amount_credits: String(price) },
    binding: {
      kind: 'http',
      method: 'POST',
      url: `http://127.0.0.1:${port}${folder}/{id}`,
      placements: { id: { in: 'path' } },
    },
  });
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const published = await fetch(`${origins[0]}/admin/v1/providers/${providerId}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({
      provider_id: providerId,
      name: { en: providerId },
      description: { en: 'A provider of the fault tests.' },
      egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
      tools: [
        tool('paid', priceCredits),
        tool('free', 0),
        tool('refused', priceCredits, REFUSED),
        tool('slow', priceCredits, SLOW),
      ],
    }),
  });
  if (!published.ok) throw new Error(`the provider was refused: ${await published.text()}`);
  const provider: CountingProvider = {
    paidToolId: `${providerId}.things.paid.v1`,
    freeToolId: `${providerId}.things.free.v1`,
    refusedToolId: `${providerId}.things.refused.v1`,
    slowToolId: `${providerId}.things.slow.v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}

/** Resolves once every replica behind these gateways knows the tool: without parameters it is refused for that alone. */
export async function untilKnown(origins: readonly string[], key: string, toolId: string): Promise<void> {
  const deadline = performance.now() + KNOWN_TIMEOUT_MS;
  for (let inARow = 0; inARow < 8;) {
    const answer = await fetch(`${origins[inARow % origins.length]}/api/v1/tools/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tool_id: toolId, parameters: {} }),
    });
    const known = (await answer.text()).includes('"missing"');
    inARow = known ? inARow + 1 : 0;
    if (known) continue;
    if (performance.now() > deadline) throw new Error(`${toolId} is not known to every replica`);
    await pause(200);
  }
}
