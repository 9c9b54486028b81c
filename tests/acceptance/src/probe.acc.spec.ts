import { beforeAll, describe, expect, it } from '@jest/globals';
import { probeAnswer } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, listUsage, settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { call, send } from './support/http.js';
import { asArray, asObject, type JsonObject } from './support/json.js';
import {
  freeCall,
  oneOfCall,
  paidCall,
  perKilobyteCall,
  perRowCall,
  priceOf,
  typedCall,
  type KnownCall,
} from './support/tools.js';

const LIMIT_PER_MINUTE = 120;

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const probe = (toolId: string, body: unknown, key = account.key) =>
  call('POST', '/tools/probe', { key, query: { tool_id: toolId }, body });
const quoteOf = async ({ toolId, parameters }: KnownCall): Promise<JsonObject> =>
  asObject((await probe(toolId, { parameters, checks: ['quote'] })).json['quote'], 'quote');
const violationsOf = async (toolId: string, parameters: JsonObject): Promise<JsonObject[]> => {
  const reply = await probe(toolId, { parameters });
  expect(reply.status).toBe(200);
  const schema = asObject(reply.json['schema'], 'schema');
  expect(schema['valid']).toBe(false);
  return asArray(schema['violations']).map((violation) => asObject(violation));
};

describe('POST /tools/probe', () => {
  it('answers just the parts that were asked for, the schema where nothing was', async () => {
    const { toolId, parameters } = paidCall;
    const byDefault = await probe(toolId, { parameters });
    expect(byDefault.status).toBe(200);
    expectShape(byDefault.json, probeAnswer('schema'));
    expect(byDefault.json).toMatchObject({
      schema: { valid: true, violations: [] },
      recovery: { missing_fields: [], safe_fixes: [], next_action: 'execute' },
    });

    const all = await probe(toolId, { parameters, checks: ['schema', 'quote', 'coverage', 'sample'] });
    expectShape(all.json, probeAnswer('schema', 'quote', 'coverage', 'sample'));
    for (const live of ['none', 'metadata', 'sampled']) {
      const reply = await probe(toolId, { parameters, checks: ['coverage'], live_budget: live });
      expectShape(reply.json, probeAnswer('coverage'));
    }
  });

  it('takes the tool_id from the body as well', async () => {
    const { toolId, parameters } = paidCall;
    const reply = await call('POST', '/tools/probe', { key: account.key, body: { tool_id: toolId, parameters } });
    expect(reply.json).toMatchObject({ schema: { valid: true, violations: [] } });
  });

  it('names the parameter at fault, as a Call would', async () => {
    const { toolId, required } = typedCall;
    const missing = await violationsOf(toolId, {});
    expect(missing).toContainEqual(expect.objectContaining({ param: required, type: 'missing' }));
    const wrong = await violationsOf(toolId, { ...typedCall.parameters, [required]: 7 });
    expect(wrong).toContainEqual(expect.objectContaining({ param: required, type: 'string_type' }));
    const unknown = await violationsOf(toolId, { ...typedCall.parameters, surprise: 1 });
    expect(unknown).toContainEqual(expect.objectContaining({ param: 'surprise', type: 'extra_forbidden' }));

    const grouped = { ...oneOfCall.parameters };
    for (const name of oneOfCall.group) delete grouped[name];
    const [fault] = (await violationsOf(oneOfCall.toolId, grouped)).filter(({ type }) => type === 'one_of_required');
    expect(fault).not.toHaveProperty('param');
    for (const name of oneOfCall.group) expect(fault?.['message']).toContain(name);

    const called = await execute(account.key, { toolId, parameters: { surprise: 1 } });
    const probed = await violationsOf(toolId, { surprise: 1 });
    const details = asArray(called.json['details']).map((detail) => asObject(detail));
    // A refusal is bounded, and counts the faults that it leaves out.
    expect(details.length + Number(called.json['details_omitted'] ?? 0)).toBe(probed.length);
    expect(probed.map(({ type }) => type)).toEqual(expect.arrayContaining(details.map(({ type }) => type)));
  });

  it('quotes exactly what a Call then costs, where that can be known', async () => {
    const payer = await newAccount();
    for (const known of [paidCall, perKilobyteCall, freeCall]) {
      const quote = await quoteOf(known);
      expect(quote['exact']).toBe(true);
      const reply = await execute(payer.key, known);
      expect(reply.json['cost']).toBe(quote['estimate_credits']);
      await settledUsageOf(payer.key, reply.json['execution_id']);
    }
  });

  it('quotes the bound, and says that it is one, where the result decides', async () => {
    const quote = await quoteOf(perRowCall);
    const perRow = await priceOf(account.key, perRowCall.toolId);
    expect(quote).toMatchObject({ exact: false, basis: 'result_rows' });
    expect(quote['estimate_credits']).toBeCloseTo(perRow * Number(perRowCall.parameters['limit']), 6);
    const reply = await execute(account.key, perRowCall);
    expect(Number(reply.json['cost'])).toBeLessThanOrEqual(Number(quote['estimate_credits']));
  });

  it('is free, also for an account without credits, and leaves nothing in audit and ledger', async () => {
    const poor = await newAccount(0);
    const { toolId, parameters } = paidCall;
    const reply = await probe(toolId, { parameters, checks: ['schema', 'quote'] }, poor.key);
    expect(reply.status).toBe(200);
    // Something that does leave a row, so that the list is known to be up to date.
    const searched = await call('POST', '/search', { key: poor.key, body: { query: toolId } });
    expect(searched.status).toBe(200);
    await eventually(async () => {
      expect((await listUsage(poor.key)).map((row) => row['event_type'])).toEqual(['search']);
    });
    expect(await listCharges(poor.key)).toEqual([]);
  });

  it.each<[string, Record<string, string>, unknown, number, string]>([
    ['no tool_id', {}, {}, 422, 'tool_id'],
    ['two tools', { tool_id: 'a.b.c.v1' }, { tool_id: 'a.b.c.v2' }, 422, 'tool_id'],
    ['an unknown tool', { tool_id: 'nobody.nothing.never.v1' }, {}, 404, 'nobody.nothing.never.v1'],
    ['parameters that are a list', { tool_id: paidCall.toolId }, { parameters: [] }, 422, 'parameters'],
    ['an unknown check', { tool_id: paidCall.toolId }, { checks: ['price'] }, 422, 'checks'],
    ['no checks', { tool_id: paidCall.toolId }, { checks: [] }, 422, 'checks'],
    ['an unknown live budget', { tool_id: paidCall.toolId }, { live_budget: 'all' }, 422, 'live_budget'],
    ['a body that is a list', { tool_id: paidCall.toolId }, [], 422, 'object'],
  ])('refuses %s with a message that names it', async (_what, query, body, status, named) => {
    const reply = await call('POST', '/tools/probe', { key: account.key, query, body });
    expect(reply.status).toBe(status);
    expect(reply.json['message']).toContain(named);
    if (status === 422) expect(asArray(reply.json['detail']).length).toBeGreaterThan(0);
  });

  it('refuses unreadable JSON with 400, and a missing or invalid key with 401', async () => {
    const unreadable = await call('POST', '/tools/probe', { key: account.key, rawBody: '{"checks":' });
    expect(unreadable.status).toBe(400);
    for (const key of [undefined, `sk-${'x'.repeat(40)}`]) {
      const reply = await call('POST', '/tools/probe', { ...(key === undefined ? {} : { key }), body: {} });
      expect(reply.status).toBe(401);
      expect(reply.json['message']).toBe('Invalid API key');
    }
  });

  it('has a limit of 120 a minute of its own', async () => {
    const busy = await newAccount();
    await call('POST', '/tools/by-ids', { key: busy.key, body: { tool_ids: [paidCall.toolId] } });
    const reply = await send('POST', '/api/v1/tools/probe', {
      key: busy.key,
      query: { tool_id: paidCall.toolId },
      body: { parameters: {} },
    });
    expect(reply.headers.get('x-ratelimit-limit')).toBe(String(LIMIT_PER_MINUTE));
    expect(reply.headers.get('x-ratelimit-remaining')).toBe(String(LIMIT_PER_MINUTE - 1));
  });
});
