import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Demo } from './demo.js';
import {
  behaviourNames,
  startEchoingProvider,
  tokenBehaviours,
  type EchoingProvider,
} from './test-support/echoing-provider.js';
import { dumpDatabases, filesOf } from './test-support/everything-kept.js';
import { freePort, pause, StandaloneProcess, START_TIMEOUT_MS } from './test-support/standalone-process.js';

/** Milliseconds. */
const RUN_TIMEOUT_MS = 400_000;
const standalone = new StandaloneProcess();
let demo: Demo;
let provider: EchoingProvider;
let metricsPort: number;
const answers: string[] = [];

/** Characters that are written differently in URLs, in JSON, in base64 and in both of its alphabets. */
const newSecret = (name: string): string => `${name}/+"?~${randomBytes(9).toString('base64')}>>`;
const secrets = {
  api_key: newSecret('header-key'),
  query_key: newSecret('query-key'),
  token: newSecret('bearer'),
  password: newSecret('password'),
  client_secret: newSecret('client'),
  of_account: newSecret('account'),
};

beforeAll(async () => {
  provider = await startEchoingProvider();
  metricsPort = await freePort();
  demo = await standalone.start({
    LOG_LEVEL: 'trace',
    METRICS_PORT: String(metricsPort),
    // The tool was published a moment ago, so it is asked for until it is known.
    RATE_LIMIT_CALL: '100000',
  });
}, RUN_TIMEOUT_MS);
afterAll(async () => {
  await standalone.remove();
  await provider.close();
}, RUN_TIMEOUT_MS);

async function request(method: string, path: string, key: string, body?: unknown) {
  const answer = await fetch(new URL(path, demo.base_url), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  answers.push(`${JSON.stringify([...answer.headers])} ${text}`);
  return { status: answer.status, text, body: JSON.parse(text) as Record<string, unknown> };
}

interface Scenario {
  readonly providerId: string;
  readonly auth: object;
  readonly fields: Readonly<Record<string, string>>;
  readonly bindings: Readonly<Record<string, object>>;
  readonly credential?: 'account';
}

const http = (path: string) => ({ kind: 'http', method: 'GET', url: `${provider.origin}/${path}` });
const everyBehaviour = (): Record<string, object> =>
  Object.fromEntries(behaviourNames.map((name) => [name, http(name)]));

const scenarios = (): Scenario[] => [
  {
    providerId: 'leakheader',
    auth: { kind: 'api_key', in: 'header', name: 'X-Key' },
    fields: { api_key: secrets.api_key },
    bindings: everyBehaviour(),
  },
  {
    providerId: 'leakquery',
    auth: { kind: 'api_key', in: 'query', name: 'api_key' },
    fields: { api_key: secrets.query_key },
    bindings: { ...everyBehaviour(), inner: { ...http('echo'), url: 'http://127.0.0.2:1024/echo' } },
  },
  {
    providerId: 'leakbearer',
    auth: { kind: 'bearer' },
    fields: { token: secrets.token },
    bindings: {
      ...everyBehaviour(),
      ...Object.fromEntries(
        ['tell', 'fail', 'error'].map((tool) => [
          tool,
          { kind: 'mcp', server: { transport: 'streamable_http', url: `${provider.origin}/mcp` }, tool },
        ]),
      ),
    },
  },
  {
    providerId: 'leakbasic',
    auth: { kind: 'basic' },
    fields: { username: 'somebody', password: secrets.password },
    bindings: everyBehaviour(),
  },
  ...tokenBehaviours.map((name) => ({
    providerId: `leakoauth${name}`,
    auth: { kind: 'oauth2_client_credentials', token_url: `${provider.origin}/token/${name}` },
    fields: { client_id: 'client', client_secret: secrets.client_secret },
    bindings: name === 'gives' ? everyBehaviour() : { echo: http('echo') },
  })),
  {
    providerId: 'leakaccount',
    auth: { kind: 'bearer' },
    fields: { token: secrets.of_account },
    bindings: everyBehaviour(),
    credential: 'account',
  },
];

const toolIdOf = ({ providerId }: Scenario, name: string): string => `${providerId}.${name}.get.v1`;
const manifestOf = (scenario: Scenario): object => ({
  provider_id: scenario.providerId,
  name: { en: scenario.providerId },
  description: { en: 'Repeats what it is shown.' },
  egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
  ...(scenario.credential === undefined ? {} : { credential: scenario.credential }),
  tools: Object.entries(scenario.bindings).map(([name, binding]) => ({
    tool_id: toolIdOf(scenario, name),
    name: { en: name },
    description: { en: `Repeats what it is shown, in the way ${name}.` },
    parameters_schema: { type: 'object', additionalProperties: false, properties: { q: { type: 'string' } } },
    examples: [{ parameters: { q: 'x' } }],
    price: { amount_credits: '0.1' },
    timeout_ms: 1_000,
    binding: { ...binding, auth: scenario.auth },
  })),
});

/** Everything that an operator, an account and its agents do with credentials, slips of the hand included. */
async function useCredentials(scenario: Scenario): Promise<void> {
  const { providerId, fields, bindings, credential } = scenario;
  const { admin_key: admin, api_key: agent } = demo;
  expect(await request('PUT', `/admin/v1/providers/${providerId}`, admin, manifestOf(scenario))).toMatchObject({
    status: 200,
  });
  const path =
    credential === undefined
      ? `/admin/v1/providers/${providerId}/credentials`
      : `/api/v1/auth/provider-credentials/${providerId}`;
  const key = credential === undefined ? admin : agent;
  let set = await request('PUT', path, key, { fields });
  for (const deadline = Date.now() + START_TIMEOUT_MS; set.status === 404 && Date.now() < deadline;) {
    await pause(100);
    set = await request('PUT', path, key, { fields });
  }
  expect(set).toMatchObject({ status: 200 });
  const [value = ''] = Object.values(fields).slice(-1);
  for (const body of [{ fields: { [value]: value } }, { [value]: value }, value, { fields: { token: `${value}\n` } }]) {
    expect((await request('PUT', path, key, body)).status).toBe(422);
  }
  await request('GET', path, key);
  for (const name of Object.keys(bindings)) {
    const toolId = toolIdOf(scenario, name);
    for (let answer; answer?.status !== 200;) {
      answer = await request('POST', '/api/v1/tools/execute', agent, { tool_id: toolId, parameters: { q: 'x' } });
      // Published a moment ago.
      if (answer.status !== 200) await pause(100);
    }
  }
}

/** As it is, and as it is written in URLs, JSON, base64 (wherever in a text it begins) and hexadecimal. */
function formsOf(secret: string): string[] {
  const inner = [0, 1, 2].map((before) => {
    const encoded = Buffer.from('-'.repeat(before) + secret).toString('base64');
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6));
  });
  const plain = [secret, ...inner, ...inner.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
  const url = plain.flatMap((text) => [encodeURIComponent(text), new URLSearchParams({ a: text }).toString().slice(2)]);
  const json = [...plain, ...url].map((text) => JSON.stringify(text).slice(1, -1));
  return [...new Set([...plain, ...url, ...json, Buffer.from(secret).toString('hex')])];
}

describe('a run with credentials, of which every provider repeats what it is shown', () => {
  it(
    'leaves none of them in answers, audit, logs, metrics, events, tables or files, in whatever form',
    async () => {
      for (const scenario of scenarios()) await useCredentials(scenario);
      const { admin_key: admin, api_key: agent } = demo;
      await request('GET', '/admin/v1/provider-credentials?limit=500', admin);
      await request('POST', '/admin/v1/provider-credentials:rotate', admin, {});
      await request('DELETE', '/admin/v1/providers/leakbearer/credentials', admin);
      let audited = '';
      for (
        const deadline = Date.now() + START_TIMEOUT_MS;
        !audited.includes('leakaccount.silent') && Date.now() < deadline;
      ) {
        await pause(200);
        const path = '/api/v1/auth/usage/history/v2?include_details=true&page_size=100';
        audited = (await request('GET', path, agent)).text;
      }
      expect(audited).toContain('leakaccount.silent');
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const tables = await dumpDatabases(standalone.dataDir);

      // Otherwise the search below would find nothing because there is nothing.
      const received = provider.received.join('\n');
      for (const secret of Object.values(secrets)) {
        const seen = formsOf(secret).some((form) => received.includes(form));
        expect({ secret: secret.slice(0, 8), seen }).toEqual({ secret: secret.slice(0, 8), seen: true });
      }
      expect(answers.join()).toContain('[redacted]');
      expect([...tables.keys()].length).toBeGreaterThan(30);
      expect(tables.get('capability_router_execution public.provider_credentials')).toContain('leakquery');
      expect(tables.get('capability_router_execution public.events')).toContain('leakquery.echo');
      expect(tables.get('capability_router_execution public.execution_payloads')).toContain('redacted');
      expect(tables.get('capability_router_billing public.usage_facts') ?? [...tables.values()].join()).toContain(
        'leakquery.echo',
      );
      expect(standalone.log).toContain('gave no token');
      expect(metrics).toContain('provider_calls_total');

      const found: string[] = [];
      const forms = Object.entries(secrets).flatMap(([name, secret]) =>
        formsOf(secret).map((form) => ({ name, form })),
      );
      const search = (where: string, text: string | Buffer): void => {
        for (const { name, form } of forms) {
          const at = text.indexOf(form);
          if (at !== -1) found.push(`${name} in ${where}, after ${text.slice(Math.max(0, at - 200), at).toString()}`);
        }
      };
      search('the answers', answers.join('\n'));
      search('the log', standalone.log);
      search('the metrics', metrics);
      for (const [name, rows] of tables) search(name, rows);
      for (const [path, bytes] of filesOf(standalone.dataDir)) search(path, bytes);
      expect(found).toEqual([]);
    },
    RUN_TIMEOUT_MS,
  );
});
