/** @postgres-versions Publications at the same time wait for an advisory lock. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames, type AccountAssertion } from '@capability-router/contracts';
import { EmbeddedEventBus } from '@capability-router/event-bus';
import { appendToStream, eventTableSource, readStream } from '@capability-router/event-store';
import { newAccountId, newExecutionId, systemClock } from '@capability-router/kernel';
import {
  createLogger,
  createMetrics,
  generateInternalKeys,
  InternalTokens,
  UpstreamUnavailable,
  type RunningService,
  type ServiceClient,
  type ServiceClients,
} from '@capability-router/service-kit';
import { publishCapabilities } from './contracts/publish-capabilities.js';
import { createCapabilityRoutingService, loadCapabilityRoutingConfig } from './index.js';
import { sampleCapability } from './test-support/sample-capability.js';
import { createScratchDatabase, type ScratchDatabase } from './test-support/scratch-database.js';

/** Nothing listens where execution was. */
const execution: ServiceClient = {
  request: () => Promise.reject(new UpstreamUnavailable('execution', false, new Error('refused'))),
};
const billing: ServiceClient = {
  request: async () => ({ status: 200, headers: {}, body: Buffer.from('{"availableMicroCredits":"1500000"}') }),
};
const account: AccountAssertion = {
  accountId: newAccountId(Date.now()),
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: [],
};

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('capability routing', () => {
  let database: ScratchDatabase;
  let service: RunningService;
  let headers: Record<string, string>;
  let administrator: Record<string, string>;
  const bus = new EmbeddedEventBus({ pollIntervalMs: 20 });

  beforeAll(async () => {
    database = await createScratchDatabase();
    const keys = generateInternalKeys();
    const tokensOf = (name: 'gateway' | 'capability-routing') =>
      InternalTokens.create({ service: name, signingKey: keys.signingKeys[name], jwks: keys.jwks, clock: systemClock });
    const gateway = await tokensOf('gateway');
    headers = {
      authorization: `Bearer ${await gateway.serviceToken('capability-routing')}`,
      'x-account-assertion': await gateway.signAssertion(account),
    };
    administrator = {
      ...headers,
      'x-account-assertion': await gateway.signAssertion({ ...account, scopes: ['admin'] }),
    };
    const config = loadCapabilityRoutingConfig({
      CAPABILITY_ROUTING_DATABASE_URL: database.url,
      CAPABILITY_ROUTING_REMAINING_CREDITS_BUDGET_MS: '1000',
    });
    const runtime = {
      name: 'capability-routing' as const,
      clock: systemClock,
      logger: createLogger('capability-routing', 'silent'),
      bus,
      tokens: await tokensOf('capability-routing'),
      clients: { billing, execution } as ServiceClients,
      metrics: createMetrics(),
      publicUrl: 'http://127.0.0.1',
    };
    service = await createCapabilityRoutingService(config, runtime, [sampleCapability()]);
    // The events of the registry and execution are read from this service's own event table.
    bus.publishFrom(database.pool, 'registry', [eventTableSource([topicNames.catalogue, topicNames.verifications])]);
    bus.publishFrom(database.pool, 'execution', [eventTableSource([topicNames.executions])]);
    expect(service.ready().ready).toBe(false);
    await service.start();
    await bus.start();
  });
  afterAll(async () => {
    await bus.stop();
    await service.stop();
    await database.drop();
  });

  it('is ready once its contracts are published and it follows the catalogue', async () => {
    await until(() => Promise.resolve(service.ready().ready));
  });

  it('shows the published contract with the version and the hash of its event', async () => {
    const response = await service.fastify.inject({ url: '/api/v1/capabilities/geo.distance', headers });
    expect(response.statusCode).toBe(200);
    const detail = response.json<Record<string, unknown>>();
    expect(detail).toMatchObject({ capability_id: 'geo.distance', contract_version: 1, remaining_credits: 1.5 });
    const [event] = await readStream(database.pool, 'geo.distance');
    expect(event).toMatchObject({ type: 'CapabilityPublished', partitionKey: 'geo.distance' });
    expect(event?.data).toMatchObject({ capability: { schemaHash: detail['schema_hash'], contractVersion: 1 } });
  });

  it('answers 304 to whoever has the contract as it is, in the language that is asked for, and to nobody else', async () => {
    const ask = (more: Record<string, string>, url = '/api/v1/capabilities/geo.distance') =>
      service.fastify.inject({ url, headers: { ...headers, ...more } });
    const first = await ask({});
    const etag = String(first.headers['etag']);
    expect(etag).toBe(`W/"${first.json<{ schema_hash: string }>().schema_hash}-en"`);
    const again = await ask({ 'if-none-match': `"other", ${etag}` });
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag]);
    expect((await ask({ 'if-none-match': etag, 'accept-language': 'zh' })).statusCode).toBe(200);
    expect((await ask({ 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('takes a run and a provider, which delegation tokens are held to, and no blank ones', async () => {
    const statusOf = async (query: string) =>
      (await service.fastify.inject({ url: `/api/v1/capabilities/geo.distance?${query}`, headers })).statusCode;
    expect([await statusOf('run_id=run_1&provider_id=geokit'), await statusOf('run_id=%20')]).toEqual([200, 422]);
    expect(await statusOf('provider_id=a&provider_id=b')).toBe(422);
  });

  it('knows an id that only a tool declares, without a contract, for as long as the tool is published', async () => {
    const tool = (over: object) => ({
      toolId: 'bank.iban.check.v1',
      version: 1,
      description: { en: 'Checks an IBAN.', zh: '校验 IBAN。' },
      capabilities: [{ id: 'finance.check_iban', tags: [] }],
      parametersSchema: { type: 'object' },
      oneOfRequired: [],
      providerId: 'bank',
      provider: { providerId: 'bank' },
      price: { metering: { kind: 'call' }, amountMicroCredits: '0', unitLabel: 'call' },
      ...over,
    });
    let sequence = 0;
    const tell = (type: string, data: object) =>
      appendToStream(database.pool, 'registry', `told:${(sequence += 1)}`, 'any', [
        { type, topic: topicNames.catalogue, partitionKey: 'bank.iban.check.v1', data },
      ]);
    const detailOf = (id: string) => service.fastify.inject({ url: `/api/v1/capabilities/${id}`, headers });
    await tell('ToolPublished', { tool: tool({}) });
    await until(async () => (await detailOf('finance.check_iban')).statusCode === 200);
    const detail = (await detailOf('finance.check_iban')).json<Record<string, unknown>>();
    expect(detail).toEqual({
      capability_id: 'finance.check_iban',
      name: 'Check iban',
      description: 'Checks an IBAN.',
      params: [],
      field_spec: {},
      examples: {},
      remaining_credits: 1.5,
    });
    await tell('ToolPublished', { tool: tool({ version: 2, capabilities: [{ id: 'finance.iban', tags: [] }] }) });
    await until(async () => (await detailOf('finance.iban')).statusCode === 200);
    expect((await detailOf('finance.check_iban')).statusCode).toBe(404);
    await tell('ToolRetired', { toolId: 'bank.iban.check.v1', version: 2, retiredAt: '2026-01-01T00:00:00Z' });
    await until(async () => (await detailOf('finance.iban')).statusCode === 404);
  });

  it.each([
    ['an unknown capability', 'no.such', 404],
    ['a blank id', '%20%20', 422],
    ['a control character', 'a%00b', 422],
    ['a very long id', 'a'.repeat(300), 422],
  ])('answers %s with a message', async (_name, id, status) => {
    const response = await service.fastify.inject({ url: `/api/v1/capabilities/${id}`, headers });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ status: 'failure', message: expect.any(String) });
  });

  describe('for administrators', () => {
    const ask = async (path: string, as: Record<string, string> = administrator) => {
      const answer = await service.fastify.inject({ url: `/admin/v1/capabilities/${path}`, headers: as });
      return { status: answer.statusCode, json: answer.json<{ message: string; data: Record<string, unknown> }>() };
    };
    const manifest = sampleCapability({ capabilityId: 'geo.area', candidates: [{ toolId: 'a.b.c.v1' }] });
    const mapped = [{ toolId: 'a.b.c.v1', result: { distance_km: { from: '$.km' } } }];

    beforeAll(async () => {
      const { effect: _effect, sampleParameters: _sample, ...older } = manifest;
      for (const next of [
        older,
        manifest,
        { ...manifest, candidates: mapped },
        { ...manifest, effect: 'unsafe' as const },
      ]) {
        await publishCapabilities(database.pool, systemClock, [next]);
      }
    });

    it('shows the contract with its mappings, and every version with whether it broke the one before', async () => {
      const { status, json } = await ask('geo.area');
      expect(status).toBe(200);
      expect(json.data).toMatchObject({ capability_id: 'geo.area', contract_version: 4, effect: 'unsafe' });
      const versions = json.data['versions'] as Record<string, unknown>[];
      expect(versions.map(({ contract_version: version, breaking }) => [version, breaking])).toEqual([
        [4, true],
        [3, false],
        [2, false],
        [1, undefined],
      ]);
      expect(versions[0]).toMatchObject({ schema_hash: json.data['schema_hash'], published_at: expect.any(String) });
    });

    it('shows an older contract as it was', async () => {
      const [first, third] = [await ask('geo.area/versions/1'), await ask('geo.area/versions/3')];
      expect(first.json.data).toMatchObject({ contract_version: 1, candidates: [{ tool_id: 'a.b.c.v1' }] });
      expect(first.json.data).not.toHaveProperty('effect');
      expect(third.json.data['candidates']).toEqual([
        { tool_id: 'a.b.c.v1', result: { distance_km: { from: '$.km' } } },
      ]);
      expect(third.json.data).toMatchObject({ parameters_schema: manifest.parametersSchema, effect: 'read_only' });
    });

    it('tells what changed between two versions, in either direction', async () => {
      const { json } = await ask('geo.area/versions/3/diff/4');
      expect(json.data).toMatchObject({ capability_id: 'geo.area', from: 3, to: 4, breaking: true });
      expect(json.data['changes']).toMatchObject([
        { path: 'effect', kind: 'changed', impact: 'breaking', before: 'read_only', after: 'unsafe' },
        { path: 'candidates.a.b.c.v1', impact: 'compatible' },
      ]);
      expect((await ask('geo.area/versions/4/diff/3')).json.data).toMatchObject({ breaking: false });
      expect((await ask('geo.area/versions/4/diff/4')).json.data).toMatchObject({ breaking: false, changes: [] });
    });

    it.each([
      'no.such',
      'finance.check_iban',
      'a%00b',
      'geo.area/versions/9',
      'geo.area/versions/01',
      'geo.area/versions/1/diff/x',
    ])('answers %s with 404 and where to look', async (path) => {
      const { status, json } = await ask(path);
      expect(status).toBe(404);
      expect(json.message).toContain('GET /');
    });

    it('is for them alone', async () => {
      for (const path of ['geo.area', 'geo.area/versions/1', 'geo.area/versions/1/diff/2']) {
        expect((await ask(path, headers)).status).toBe(403);
      }
    });
  });

  it.each([{ capability_id: 'geo.distance', parameters: { from: 'Bern' } }, { capability_id: 'no.such' }])(
    'answers %j with a 503 that may be repeated while execution is away',
    async (payload) => {
      const response = await service.fastify.inject({
        method: 'POST',
        url: '/api/v1/capabilities/query',
        headers: { ...headers, 'x-execution-id': newExecutionId(systemClock.nowMs()) },
        payload,
      });
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '1']);
      expect(response.json()).toMatchObject({ status: 'failure', code: 'not_dispatched' });
    },
  );

  const query = async (payload: object) => {
    const response = await service.fastify.inject({
      method: 'POST',
      url: '/api/v1/capabilities/query',
      headers: { ...headers, 'x-execution-id': newExecutionId(systemClock.nowMs()) },
      payload,
    });
    return [response.statusCode, response.headers['retry-after'], response.json<{ code?: string }>().code];
  };

  it('answers 503 where the database does not say whether there is such a capability', async () => {
    const rename = (from: string, to: string) => database.owner.query(`ALTER TABLE ${from} RENAME TO ${to}`);
    await rename('capabilities', 'capabilities_gone');
    try {
      expect(await query({ capability_id: 'nobody.knows' })).toEqual([503, '1', 'not_dispatched']);
    } finally {
      await rename('capabilities_gone', 'capabilities');
    }
  });

  it('takes a query as large as a Call, and none that is larger', async () => {
    const large = (bytes: number) => query({ capability_id: 'no.such', parameters: { text: 'x'.repeat(bytes) } });
    expect((await large(1_000_000))[0]).toBe(503);
    expect((await large(1_048_576))[0]).toBe(413);
  });

  it('publishes a contract once, by any number of replicas, and a changed one under the next version', async () => {
    const manifest = sampleCapability({ capabilityId: 'geo.route' });
    const publish = (over: Parameters<typeof sampleCapability>[0] = {}): Promise<number> =>
      publishCapabilities(database.pool, systemClock, [{ ...manifest, ...over }]);
    const counts = await Promise.all([publish(), publish(), publish()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await publish({ candidates: [] })).toBe(1);
    expect((await readStream(database.pool, 'geo.route')).map((event) => event.sequence)).toEqual([1, 2]);
  });
});
