import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { admin } from './accounts.js';
import { eventually } from './eventually.js';
import type { JsonObject } from './json.js';
import { listen } from './listen.js';

/** A provider on the loopback with a tool that keeps what it says, and for each check a tool that fails it and no other. */
export interface VerifiedProvider {
  /** Tool ids, by what is wrong with them. */
  readonly tools: Readonly<Record<Fault, string>>;
  close(): Promise<void>;
}

export const faults = [
  'none',
  'schema',
  'authentication',
  'description_contract',
  'provider_identity',
  'permissions',
  'freshness',
  'live_check',
  'restricted',
] as const;
export type Fault = (typeof faults)[number];

/** Letters only, so that nothing else has it. */
const randomWord = (prefix: string): string => `${prefix}${randomBytes(6).toString('hex').replaceAll(/\d/g, 'k')}`;

export async function startVerifiedProvider(): Promise<VerifiedProvider> {
  const ids = { proved: randomWord('zva'), unproved: randomWord('zvb'), wide: randomWord('zvc') };
  const token = randomBytes(12).toString('hex');
  const server = createServer((request, response) => answer(request, response, token, [ids.proved, ids.wide]));
  await listen(server);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const providerOf = (fault: Fault): string => {
    if (fault === 'provider_identity') return ids.unproved;
    return fault === 'permissions' ? ids.wide : ids.proved;
  };
  const tools = Object.fromEntries(faults.map((fault) => [fault, `${providerOf(fault)}.things.${fault}.v1`])) as Record<
    Fault,
    string
  >;
  for (const provider of Object.values(ids)) {
    const own = faults.filter((fault) => providerOf(fault) === provider);
    await admin('PUT', `/providers/${provider}`, {
      provider_id: provider,
      name: { en: provider },
      description: { en: 'Things.' },
      egress: {
        allow_http: true,
        allow_networks: ['127.0.0.1/32'],
        ...(provider === ids.wide ? {} : { allow_hosts: ['127.0.0.1'] }),
      },
      verification: { run_examples: true, daily_budget_credits: '50' },
      tools: own.map((fault) => toolOf(fault, tools[fault], origin)),
    });
    await eventually(() => admin('PUT', `/providers/${provider}/credentials`, { fields: { token } }));
  }
  return {
    tools,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const toolOf = (fault: Fault, toolId: string, origin: string): JsonObject => ({
  tool_id: toolId,
  name: { en: 'Things' },
  description: {
    en: `Tells a thing by its \`number\`, with its \`name\`.${fault === 'description_contract' ? ' `color` chooses.' : ''}`,
  },
  parameters_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['number'],
    properties: { number: { type: 'integer', description: 'Which thing.' } },
  },
  examples: [{ parameters: { number: 1 } }, { parameters: { number: 2 } }],
  price: { amount_credits: '0.5' },
  freshness: { path: '$.as_of', max_age_seconds: 3600 },
  terms: { license: 'CC0-1.0', commercial_use: 'allowed' },
  binding: { kind: 'http', method: 'GET', url: `${origin}/${fault}`, auth: { kind: 'bearer' } },
});

const HOUR_MS = 3_600_000;

function answer(request: IncomingMessage, response: ServerResponse, token: string, proved: readonly string[]): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const send = (status: number, body: unknown): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (pathname === '/.well-known/capability-router-provider.json') return send(200, { provider_id: proved });
  const isKnown = request.headers.authorization === `Bearer ${token}`;
  if (!isKnown && pathname !== '/authentication') return send(401, { message: 'who are you?' });
  if (pathname === '/live_check') return send(500, { message: 'out of things' });
  if (pathname === '/restricted') return send(403, { message: 'not in your plan' });
  const number = Number(searchParams.get('number'));
  const asOf = Date.now() - (pathname === '/freshness' ? 2 * HOUR_MS : 0);
  const name = pathname === '/schema' && number === 2 ? { given: 'thing' } : 'thing';
  send(200, { number, name, as_of: new Date(asOf).toISOString() });
}
