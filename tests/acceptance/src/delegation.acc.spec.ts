import { beforeAll, describe, expect, it } from '@jest/globals';
import { admin, newAccount, type TestAccount } from './support/accounts.js';
import { listUsage, settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { call, send, type Reply } from './support/http.js';
import { asArray, asObject, asString, type JsonObject } from './support/json.js';
import { freeCall, inspectTool, paidCall, priceOf } from './support/tools.js';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const PARALLEL = 40;
const AFFORDABLE_CALLS = 4;

const capability = 'geo.distance';
const parameters = { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 };
const dear = 'atlas.distance.geodesic.v1';
const cheap = 'toolbox.distance.haversine.v1';

let account: TestAccount;
let client: { readonly client_id: string; readonly client_secret: string };
let parent: string;
/** The providers of the tools that the suite calls. */
let providers: Record<string, string>;
beforeAll(async () => {
  account = await newAccount();
  client = await newClient();
  parent = await newToken();
  const ids = [paidCall.toolId, freeCall.toolId, dear, cheap];
  const found = await Promise.all(ids.map((id) => inspectTool(account.key, id)));
  providers = Object.fromEntries(found.map((tool, i) => [ids[i], asString(tool['provider_id'], 'provider_id')]));
});

async function newClient(): Promise<typeof client> {
  const grants = { grant_types: ['client_credentials', EXCHANGE] };
  const body = { account_id: account.accountId, name: 'planner', scopes: ['call', 'read', 'manage'], ...grants };
  const data = await admin('POST', '/oauth-clients', body);
  return { client_id: asString(data['client_id']), client_secret: asString(data['client_secret']) };
}

function form(path: string, fields: readonly (readonly [string, string])[], by = client): Promise<Reply> {
  const sent = new URLSearchParams({ ...by });
  for (const [name, value] of fields) sent.append(name, value);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return send('POST', `/api/v1/oauth/${path}`, { rawBody: sent.toString(), headers });
}

async function newToken(by = client): Promise<string> {
  return asString((await form('token', [['grant_type', 'client_credentials']], by)).json['access_token']);
}

type Constraints = Readonly<Record<string, string | number | readonly string[]>>;

async function delegate(constraints: Constraints, subject = parent, by = client): Promise<string> {
  const lists = Object.entries(constraints).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly string[]) : [String(value)]).map((one) => [name, one] as const),
  );
  const shown = [
    ['grant_type', EXCHANGE],
    ['subject_token', subject],
    ['subject_token_type', ACCESS_TOKEN],
  ] as const;
  const { status, json } = await form('token', [...shown, ...lists], by);
  expect(status).toBe(200);
  expect(json).toMatchObject({ issued_token_type: ACCESS_TOKEN, token_type: 'Bearer', constraints });
  expect(json).not.toHaveProperty('refresh_token');
  return asString(json['access_token']);
}

function expectForbidden(reply: Reply, constraint: string): void {
  expect(reply.status).toBe(403);
  expect(reply.json).toMatchObject({ status: 'failure', code: 'delegation_constraint', constraint });
}

const query = (key: string, over: JsonObject = {}): Promise<Reply> =>
  call('POST', '/capabilities/query', { key, body: { capability_id: capability, parameters, ...over } });
const detail = (key: string, named: Record<string, string> = {}): Promise<Reply> =>
  call('GET', `/capabilities/${capability}`, { key, query: named });
const probe = (key: string, { toolId, parameters: given }: typeof freeCall, more: JsonObject = {}): Promise<Reply> =>
  call('POST', '/tools/probe', { key, query: { tool_id: toolId }, body: { parameters: given, ...more } });

describe('a delegation token', () => {
  it('calls and probes the tools that it names, and no others', async () => {
    const key = await delegate({ tool_ids: [freeCall.toolId] });
    expect((await execute(key, freeCall)).status).toBe(200);
    expect((await probe(key, freeCall)).status).toBe(200);
    expectForbidden(await execute(key, paidCall), 'tool_ids');
    expectForbidden(await probe(key, paidCall), 'tool_ids');
    // Nothing ran, so that nothing stands in the audit.
    const rows = await listUsage(account.key);
    expect(rows.filter(({ tool_id: id }) => id === paidCall.toolId)).toEqual([]);
  });

  it('calls tools of the providers, with the model and in the run, that it names', async () => {
    const provider = asString(providers[freeCall.toolId]);
    const key = await delegate({ provider_ids: [provider], model: 'm-1', run_id: 'run-1' });
    const named = { model: 'm-1', run_id: 'run-1' };
    expect((await execute(key, freeCall, named)).status).toBe(200);
    expectForbidden(await execute(key, freeCall, { ...named, model: 'm-2' }), 'model');
    expectForbidden(await execute(key, freeCall, { run_id: 'run-1' }), 'model');
    expectForbidden(await execute(key, freeCall, { ...named, run_id: 'run-2' }), 'run_id');
    expectForbidden(await probe(key, freeCall, { model: 'm-1' }), 'run_id');
    const another = await delegate({ provider_ids: ['nobody'] });
    expectForbidden(await execute(another, freeCall), 'provider_ids');
    expectForbidden(await probe(another, freeCall), 'provider_ids');
  });

  it('has a capability served by the tools that it names, and told why not by others', async () => {
    const key = await delegate({ tool_ids: [cheap], run_id: 'run-1', model: 'm-1' });
    const named = { run_id: 'run-1', model: 'm-1' };
    const reply = await query(key, named);
    expect(reply.status).toBe(200);
    const routing = asObject(reply.json['routing']);
    expect(routing['chosen']).toBe(cheap);
    expect(asArray(routing['excluded'])).toEqual([expect.objectContaining({ tool_id: dear, reason: 'delegation' })]);
    const row = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(row).toMatchObject({ credential_type: 'delegation_token', model: 'm-1' });
    expectForbidden(await query(key, { ...named, run_id: 'run-2' }), 'run_id');
    expectForbidden(await query(key, { run_id: 'run-1' }), 'model');
    expectForbidden(await query(await delegate({ tool_ids: [freeCall.toolId] })), 'tool_ids');
    expectForbidden(await query(await delegate({ provider_ids: ['nobody'] })), 'provider_ids');
    // A query with any other credential has no model.
    expect((await query(account.key, { model: 'm-1' })).status).toBe(422);
  });

  it('sees the details of a capability for its run and its provider alone', async () => {
    const provider = asString(providers[cheap]);
    const key = await delegate({ provider_ids: [provider], run_id: 'run-1', tool_ids: [cheap] });
    expect((await detail(key, { run_id: 'run-1', provider_id: provider })).status).toBe(200);
    expectForbidden(await detail(key, { provider_id: provider }), 'run_id');
    expectForbidden(await detail(key, { run_id: 'run-2', provider_id: provider }), 'run_id');
    expectForbidden(await detail(key, { run_id: 'run-1' }), 'provider_ids');
    expectForbidden(await detail(key, { run_id: 'run-1', provider_id: 'nobody' }), 'provider_ids');
    expectForbidden(await detail(await delegate({ tool_ids: [freeCall.toolId] })), 'tool_ids');
  });

  it('spends no more than its max_credits over its life, with many calls at once', async () => {
    const price = await priceOf(account.key, paidCall.toolId);
    const maxCredits = Math.ceil(price * AFFORDABLE_CALLS);
    const affordable = Math.floor(maxCredits / price);
    const key = await delegate({ max_credits: maxCredits });
    const replies = await Promise.all(
      Array.from({ length: Math.max(PARALLEL, 2 * affordable) }, () => execute(key, paidCall)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(affordable);
    const [refused] = replies.filter(({ status }) => status === 402);
    expect(refused?.json).toMatchObject({ code: 'budget_exceeded' });
    expect(asArray(refused?.json['details'])).toContainEqual(
      expect.objectContaining({
        scope: 'delegation',
        loc: ['delegation_token', 'max_credits'],
        limit_credits: maxCredits,
      }),
    );
    const filter = { credential_type: 'delegation_token', oauth_client_id: client.client_id, success: true };
    await eventually(async () => {
      const usage = await call('GET', '/auth/usage/history/v2', { key: account.key, query: filter });
      expect(asArray(asObject(usage.json['data'])['items']).length).toBeGreaterThanOrEqual(affordable);
    });
    // Its budget is its own: the next token of the same parent goes on.
    expect((await execute(await delegate({ max_credits: maxCredits }), paidCall)).status).toBe(200);
  });

  it('carries as many names as a list may have to every service', async () => {
    const ids = Array.from({ length: 99 }, (_, i) => `provider.resource.action-number-${i}.v1`);
    const key = await delegate({ tool_ids: [...ids, freeCall.toolId] });
    expect((await execute(key, freeCall)).status).toBe(200);
    expect((await probe(key, freeCall)).status).toBe(200);
  });

  it('ends on every gateway with the token that was shown for it, and with its client', async () => {
    const [shown, other] = [await newToken(), await newClient()];
    const [child, ofOther] = [await delegate({}, shown), await delegate({}, parent, other)];
    for (let turn = 0; turn < 4; turn += 1) {
      for (const key of [child, ofOther]) expect((await execute(key, freeCall)).status).toBe(200);
    }
    expect((await form('revoke', [['token', shown]])).status).toBe(200);
    for (let turn = 0; turn < 4; turn += 1) expect((await execute(child, freeCall)).status).toBe(401);
    const ended = await admin('DELETE', `/oauth-clients/${other.client_id}`);
    expect(ended).not.toHaveProperty('pending');
    for (let turn = 0; turn < 4; turn += 1) expect((await execute(ofOther, freeCall)).status).toBe(401);
  });

  it('manages nothing', async () => {
    const key = await delegate({});
    expect((await call('GET', '/auth/api-keys', { key })).status).toBe(403);
    expect((await send('GET', '/admin/v1/accounts', { key })).status).toBe(403);
  });
});
