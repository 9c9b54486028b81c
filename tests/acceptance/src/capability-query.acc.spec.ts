import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, listUsage, remainingCredits, settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { call, type Reply } from './support/http.js';
import { asArray, asObject, type JsonObject } from './support/json.js';
import { micro } from './support/money.js';
import { priceOf } from './support/tools.js';

const capability = 'geo.distance';
const parameters = { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 };
const dear = 'atlas.distance.geodesic.v1';
const cheap = 'toolbox.distance.haversine.v1';
const PARALLEL = 200;

const ask = ({ key }: TestAccount, over: JsonObject = {}, headers: Record<string, string> = {}): Promise<Reply> =>
  call('POST', '/capabilities/query', { key, body: { capability_id: capability, parameters, ...over }, headers });
const routingOf = (reply: Reply): JsonObject => asObject(reply.json['routing'], 'routing');
const listOf = (routing: JsonObject, name: string): JsonObject[] =>
  asArray(routing[name], name).map((item) => asObject(item));
const namesIn = (routing: JsonObject, name: string) => listOf(routing, name).map(({ tool_id: id }) => id);

let account: TestAccount;
let prices: Record<string, number>;
beforeAll(async () => {
  account = await newAccount();
  prices = { [dear]: await priceOf(account.key, dear), [cheap]: await priceOf(account.key, cheap) };
  // Replicas copy the catalogue by themselves.
  await eventually(async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const routing = routingOf(await ask(account, { max_credits: 0.000001 }));
      expect(listOf(routing, 'excluded').map(({ reason }) => reason)).toEqual(['over_budget', 'over_budget']);
    }
  });
});

/** A refused query leaves one audit row, and the balance as it was. */
async function expectRefused(by: TestAccount, reply: Reply, reasonCode: string): Promise<void> {
  const row = await settledUsageOf(by.key, reply.json['execution_id']);
  expect(row).toMatchObject({
    event_type: 'capabilities_query',
    success: false,
    reason_code: reasonCode,
    charge_outcome: 'failed_not_charged',
  });
  expect(await remainingCredits(by.key)).toBe(by.initialCredits);
}

describe('POST /capabilities/query', () => {
  it('runs one tool of the capability, charges what it costs, and says why it was chosen', async () => {
    const by = await newAccount();
    const reply = await ask(by, { max_credits: 3 });
    expect(reply.status).toBe(200);
    const detail = await call('GET', `/capabilities/${capability}`, { key: by.key });
    expect(reply.json).toMatchObject({
      capability_id: capability,
      contract_version: detail.json['contract_version'],
      schema_hash: detail.json['schema_hash'],
      success: true,
      result: { status_code: 200, data: { distance_km: expect.closeTo(878, 0), method: expect.any(String) } },
      parameters,
    });
    const routing = routingOf(reply);
    expect(namesIn(routing, 'candidates').sort()).toEqual([dear, cheap].sort());
    for (const candidate of listOf(routing, 'candidates')) {
      expect(candidate['explanation']).toMatch(/credits/);
      expect(candidate['upper_price_credits']).toBe(prices[String(candidate['tool_id'])]);
    }
    const chosen = String(routing['chosen']);
    expect(listOf(routing, 'attempts')).toMatchObject([
      { tool_id: chosen, status: 'served', reason: 'result.valid' },
      { status: 'skipped', reason: 'not_needed' },
    ]);
    const cost = prices[chosen] ?? 0;
    expect([reply.json['cost'], reply.json['credits_used']]).toEqual([cost, cost]);
    expect(reply.json['remaining_credits']).toBe(by.initialCredits - cost);
    const row = await settledUsageOf(by.key, reply.json['execution_id']);
    expect(row).toMatchObject({
      event_type: 'capabilities_query',
      tool_id: chosen,
      charge_outcome: 'charged',
      settled_amount_credits: cost,
    });
    const [charge, ...others] = await listCharges(by.key);
    expect(others).toEqual([]);
    expect(charge).toMatchObject({ execution_id: reply.json['execution_id'], amount_credits: -cost });
    expect(await listUsage(by.key)).toHaveLength(1);
  });

  it('keeps to the providers and the budget of the caller', async () => {
    const only = routingOf(await ask(account, { provider_id: 'atlas' }));
    expect([only['chosen'], only['not_asked']]).toEqual([dear, [cheap]]);
    const within = routingOf(await ask(account, { max_credits: 1 }));
    expect([within['chosen'], listOf(within, 'excluded')]).toEqual([
      cheap,
      [{ tool_id: dear, reason: 'over_budget', explanation: expect.stringContaining('2.5') }],
    ]);
  });

  it('calls nothing where no candidate is within the budget, and says what each may cost', async () => {
    const by = await newAccount();
    const reply = await ask(by, { max_credits: 0.4 });
    expect(reply.status).toBe(422);
    expect(reply.json).toMatchObject({ status: 'failure', code: 'budget_exceeded', capability_id: capability });
    const routing = routingOf(reply);
    expect([routing['chosen'], routing['attempts'], routing['candidates']]).toEqual([null, [], []]);
    expect(namesIn(routing, 'excluded')).toEqual([dear, cheap]);
    await expectRefused(by, reply, 'budget_exceeded');
  });

  it('is refused with 402 where no candidate is within the credits', async () => {
    const by = await newAccount(0.4);
    const reply = await ask(by);
    expect(reply.status).toBe(402);
    expect(reply.json).toMatchObject({ status: 'failure', code: 'insufficient_credits', remaining_credits: 0.4 });
    await expectRefused(by, reply, 'insufficient_credits');
  });

  it('runs the candidate that the credits suffice for', async () => {
    const by = await newAccount(1);
    const reply = await ask(by, { prefer: 'quality' });
    expect([reply.status, routingOf(reply)['chosen'], reply.json['remaining_credits']]).toEqual([200, cheap, 0.5]);
    expect(listOf(routingOf(reply), 'attempts')).toContainEqual(
      expect.objectContaining({ tool_id: dear, status: 'skipped', reason: 'insufficient_credits' }),
    );
  });

  it('is 404 for a capability that is none', async () => {
    const by = await newAccount();
    const reply = await ask(by, { capability_id: 'no.such' });
    expect([reply.status, reply.json['status']]).toEqual([404, 'failure']);
    await expectRefused(by, reply, 'validation_error');
  });

  it.each<[string, JsonObject, (string | number)[]]>([
    ['both an id and words', { query: 'distance' }, ['body', 'query']],
    ['neither', { capability_id: null }, ['body', 'capability_id']],
    ['both names of parameters', { params: {} }, ['body', 'params']],
    ['a blank id', { capability_id: ' ' }, ['body', 'capability_id']],
    ['no budget at all', { max_credits: 0 }, ['body', 'max_credits']],
    ['a budget in words', { max_credits: '3' }, ['body', 'max_credits']],
    ['a member that it does not have', { tool_id: dear }, ['body', 'tool_id']],
    [
      'a parameter of another kind',
      { parameters: { ...parameters, to_latitude: 'x' } },
      ['body', 'parameters', 'to_latitude'],
    ],
    ['a parameter that it does not have', { parameters: { ...parameters, unit: 'm' } }, ['body', 'parameters', 'unit']],
    ['a parameter too few', { parameters: {} }, ['body', 'parameters', 'from_latitude']],
  ])('is 422 with %s, which is named', async (_what, over, loc) => {
    const reply = await ask(account, over);
    expect([reply.status, reply.json['status']]).toEqual([422, 'failure']);
    expect(listOf(reply.json, 'details')).toContainEqual(expect.objectContaining({ loc }));
    const rows = await eventually(async () => {
      const found = await listUsage(account.key, { execution_id: String(reply.json['execution_id']) });
      expect(found).toHaveLength(1);
      return found;
    });
    expect(rows[0]).toMatchObject({ event_type: 'capabilities_query', reason_code: 'validation_error' });
  });

  it('names the providers that there are, where those that were asked for have none of its tools', async () => {
    const reply = await ask(account, { provider_id: 'nobody' });
    expect(reply.status).toBe(422);
    expect(reply.json['message']).toContain('atlas, toolbox');
  });

  it('answers a repetition under its idempotency key with the first answer, and refuses another request', async () => {
    const by = await newAccount();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await ask(by, {}, headers);
    const again = await ask(by, {}, headers);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.json).toEqual(first.json);
    const other = await ask(by, { prefer: 'speed' }, headers);
    expect([other.status, other.json['status']]).toEqual([422, 'failure']);
    await settledUsageOf(by.key, first.json['execution_id']);
    expect(await listCharges(by.key)).toHaveLength(1);
    const found = await call('GET', '/tools/executions/by-idempotency-key', {
      key: by.key,
      query: { key: headers['idempotency-key'] },
    });
    expect(asObject(found.json['data'])).toMatchObject({
      execution_id: first.json['execution_id'],
      response: { capability_id: capability },
    });
  });

  it('understands what is wanted in words, and says how surely', async () => {
    const { key } = account;
    const meant = 'text.markdown_to_html';
    const body = { query: 'render markdown as html', parameters: { markdown: '# Hello' } };
    const reply = await call('POST', '/capabilities/query', { key, body });
    expect([reply.status, reply.json['capability_id'], reply.json['success']]).toEqual([200, meant, true]);
    const resolution = asObject(routingOf(reply)['resolution']);
    expect(resolution).toMatchObject({ capability_id: meant, certainty: expect.any(Number) });
    expect(resolution['certainty']).toBeGreaterThan(0.45);
  });

  it.each(['check', 'convert this', 'order a pizza', 'weather in Tokyo'])(
    'does not guess what "%s" means: 422 with what is nearest',
    async (words) => {
      const { key } = account;
      // Capabilities of other tests come and go, and one replica hears of it before another.
      await eventually(async () => {
        const reply = await call('POST', '/capabilities/query', { key, body: { query: words, parameters } });
        expect([reply.status, reply.json['status']]).toEqual([422, 'failure']);
        for (const near of listOf(reply.json, 'nearest')) {
          expect((await call('GET', `/capabilities/${String(near['capability_id'])}`, { key })).status).toBe(200);
        }
      });
    },
  );

  it(`never spends more than there is, also with ${PARALLEL} queries at once`, async () => {
    const by = await newAccount(4.2);
    const replies = await Promise.all(Array.from({ length: PARALLEL }, () => ask(by)));
    const served = replies.filter(({ status }) => status === 200);
    expect(replies.filter(({ status }) => status !== 200 && status !== 402)).toEqual([]);
    const spent = served.reduce((sum, reply) => sum + micro(reply.json['cost']), 0);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(4_200_000);
    for (const reply of replies) expect(Number(reply.json['remaining_credits'] ?? 0)).toBeGreaterThanOrEqual(0);
    await eventually(async () => expect(await listCharges(by.key)).toHaveLength(served.length));
    expect(micro(await remainingCredits(by.key))).toBe(4_200_000 - spent);
    const charges = await listCharges(by.key);
    expect(charges.reduce((sum, entry) => sum - micro(entry['amount_credits']), 0)).toBe(spent);
  });
});
