/**
 * OWASP API7:2023. Attacked: servers beside the deployment, by every way in which an address comes in, in every way to write it. How the
 * guard judges addresses, redirects and names of DNS in full is in `egress-client.unit`, `address-rules.unit` and `vet-url.unit` of
 * `libs/provider-kit`. Here a server listens on every address of this machine, and nobody may have asked it.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { hostname } from 'node:os';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from '../support/accounts.js';
import { listCharges } from '../support/audit.js';
import { adminKey } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { execute } from '../support/execute.js';
import { send, type Reply } from '../support/http.js';
import { listen } from '../support/listen.js';

/** Hosts between `http://` and the port: numbers in every base, IPv6 with an IPv4 inside, names that lead inwards. */
const hosts: Readonly<Record<string, string>> = {
  loopback: '127.0.0.1',
  otherloopback: '127.8.9.1',
  short: '127.1',
  decimal: '2130706433',
  hexadecimal: '0x7f000001',
  octal: '0177.0.0.1',
  fullwidth: '１２７.０.０.１',
  unspecified: '0.0.0.0',
  dotted: 'localhost.',
  name: 'localhost',
  machine: hostname(),
  six: '[::1]',
  sixunspecified: '[::]',
  mapped: '[::ffff:127.0.0.1]',
  mappedhex: '[::ffff:7f00:1]',
  compatible: '[::7f00:1]',
  translated: '[::ffff:0:7f00:1]',
  natted: '[64:ff9b::7f00:1]',
  sixtofour: '[2002:7f00:1::]',
  zone: '[fe80::1]',
  metadata: '169.254.169.254',
  metadatasix: '[fd00:ec2::254]',
  private: '10.0.0.1',
};
/** Letters only, so that nothing else has it. */
const provider = `zo${randomBytes(6).toString('hex').replaceAll(/\d/g, 'k')}`;
/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;

let account: TestAccount;
/** Must never be asked. */
let inside: Server;
let insidePort: number;
/** May be asked, and sends on to the inside. */
let outside: Server;
let outsideOrigin: string;
const asked: string[] = [];

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const toolIdOf = (name: string): string => `${provider}${name}.inner.get.v1`;
const tool = (name: string, url: string): object => ({
  tool_id: toolIdOf(name),
  name: { en: name },
  description: { en: `Tool ${name} of the acceptance suite.` },
  parameters_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'string', maxLength: 50 } },
  },
  examples: [{ parameters: { id: 'a-1' } }],
  price: { amount_credits: '0.5' },
  binding: { kind: 'http', method: 'GET', url, placements: { id: { in: 'path' } } },
});
const publish = (tools: readonly object[], id: string, egress: object): Promise<Reply> =>
  send('PUT', `/admin/v1/providers/${id}`, {
    key: adminKey,
    body: { provider_id: id, name: { en: id }, description: { en: 'Inner things.' }, egress, tools },
  });
const openFor = (address: string): object => ({ allow_http: true, allow_networks: [address] });

beforeAll(async () => {
  account = await newAccount();
  inside = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"secret":"inside"}');
  });
  // Every address of the machine, of either family where it has both.
  await new Promise<void>((resolve) => inside.listen(0, resolve));
  insidePort = portOf(inside);
  outside = createServer((request, response) => {
    const location = `http://127.0.0.2:${insidePort}${request.url}`;
    response.writeHead(Number(/\d{3}/.exec(request.url ?? '')?.[0] ?? 302), { location }).end();
  });
  await listen(outside);
  outsideOrigin = `http://127.0.0.1:${portOf(outside)}`;
}, TIMEOUT_MS);

afterAll(async () => {
  for (const server of [inside, outside]) {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
});

beforeEach(() => {
  asked.length = 0;
});

/** Where it leads is known when it is connected to, not when it is published. */
describe('the address of a tool', () => {
  const names = Object.keys(hosts);

  beforeAll(async () => {
    const refused: string[] = [];
    for (const [name, host] of Object.entries(hosts)) {
      const url = `http://${host}:${insidePort}/{id}`;
      const reply = await publish([tool(name, url)], `${provider}${name}`, { allow_http: true });
      if (reply.status !== 200) refused.push(`${name}: ${reply.text}`);
    }
    expect(refused).toEqual([]);
  }, TIMEOUT_MS);

  it('leads nowhere inside, however it is written', async () => {
    for (const name of names) {
      const toolId = toolIdOf(name);
      const reply = await eventually(async () => {
        const answer = await execute(account.key, { toolId, parameters: { id: 'x' } });
        expect(answer.status).toBe(200);
        return answer;
      });
      expect({ name, success: reply.json['success'], outcome: reply.json['execution_outcome'] }).toMatchObject({
        name,
        success: false,
        outcome: { reason_code: 'transport.execution_failed' },
      });
      expect(reply.text).not.toMatch(/127\.|::1|localhost|ECONN|inside/);
    }
    expect(asked).toEqual([]);
    expect(await listCharges(account.key)).toEqual([]);
  });
});

describe.each(Object.entries(hosts))('an import from the address %s', (name, host) => {
  it.each<[string, (origin: string) => object]>([
    ['openapi', (origin) => ({ url: `${origin}/openapi.json` })],
    ['mcp', (origin) => ({ server: { transport: 'streamable_http', url: `${origin}/mcp` } })],
  ])('is refused: %s', async (kind, from) => {
    const provided = { provider_id: `${provider}${name}${kind}`, egress: { allow_http: true } };
    const body = { provider: provided, ...from(`http://${host}:${insidePort}`) };
    const reply = await send('POST', `/admin/v1/sources/${kind}`, { key: adminKey, body });
    expect(reply.status).toBe(422);
    expect(reply.text).toMatch(/What may be reached is set by|not one that this deployment may connect to/);
    expect(reply.text).not.toContain('"secret"');
    expect(asked).toEqual([]);
  });
});

describe('a server that may be asked', () => {
  it.each([301, 302, 303, 307, 308])('and answers %s leads an import no further', async (status) => {
    const provided = { provider_id: `${provider}moved${status}`, egress: openFor('127.0.0.1/32') };
    const body = { provider: provided, url: `${outsideOrigin}/${status}/openapi.json` };
    const reply = await send('POST', '/admin/v1/sources/openapi', { key: adminKey, body });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    expect(reply.text).not.toContain('"secret"');
    expect(asked).toEqual([]);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/openapi.json',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'data:application/json,{}',
    'javascript:1',
    '//127.0.0.1/openapi.json',
    'http://user:password@a.example/openapi.json',
    'http://127.0.0.1:6379/openapi.json',
  ])('is none at %s', async (url) => {
    const body = { provider: { provider_id: `${provider}scheme`, egress: { allow_http: true } }, url };
    const reply = await send('POST', '/admin/v1/sources/openapi', { key: adminKey, body });
    expect(reply.status).toBe(422);
  });

  it('cannot be opened at the places that hand out credentials of the machine', async () => {
    for (const network of [
      '169.254.0.0/16',
      '169.254.169.254/32',
      'fd00:ec2::254/128',
      '0.0.0.0/0',
      '::/0',
      '::ffff:0:0/96',
    ]) {
      const id = `${provider}open`;
      const body = {
        provider: { provider_id: id, egress: openFor(network) },
        url: 'http://169.254.169.254/latest/meta-data',
      };
      const reply = await send('POST', '/admin/v1/sources/openapi', { key: adminKey, body });
      expect({ network, status: reply.status }).toEqual({ network, status: 422 });
    }
  });
});
