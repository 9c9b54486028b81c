import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newSearchId, systemClock, usageEventIdOf, type SearchId } from '@capability-router/kernel';
import type { AccountAssertion } from '@capability-router/contracts';
import { SilentProxy } from '@capability-router/service-kit/testing';
import { newAccount, RunningRegistry } from '../test-support/running-registry.js';
import { DiscoveryRecorder } from '../discovery/discovery-recorder.js';
import { loadRegistryConfig } from '../config.js';

const PRICE = 250_000n;
const START = 1_000_000n;
const url = '/api/v1/search';
const askUrl = '/internal/searches:end-states';

describe('a search in a deployment that bills searches', () => {
  let registry: RunningRegistry;
  beforeAll(async () => {
    registry = await RunningRegistry.start(undefined, { SEARCH_PRICE_CREDITS: '0.25' });
  });
  afterAll(() => registry.stop());
  beforeEach(() => {
    registry.availableMicro = START;
  });

  const search = (query: unknown, account = newAccount()) => registry.post({ url, account, body: { query } });
  const ask = (searchIds: readonly string[], accountId = newAccount().accountId) =>
    registry.post({
      url: askUrl,
      as: 'billing',
      body: { searches: searchIds.map((searchId) => ({ searchId, accountId })) },
    });

  it('reserves the price under its id, says what is left, and tells billing what to charge', async () => {
    const account = newAccount();
    const { status, body } = await search('distance', account);
    expect([status, body['total'], body['remaining_credits']]).toEqual([200, 1, 0.75]);
    const searchId = body['search_id'] as SearchId;
    expect(registry.holds.at(-1)).toMatchObject({
      searchId,
      accountId: account.accountId,
      amountMicroCredits: PRICE.toString(),
    });
    const events = await registry.usageEventsOf(account);
    expect(events.map((event) => event.data)).toMatchObject([
      {
        searchId,
        success: true,
        holdMicroCredits: '250000',
        priceRule: { amountMicroCredits: '250000' },
        bill: { listAmountMicroCredits: '250000', summary: '1 search × 0.25 credits = 0.25 credits' },
      },
    ]);
    expect((await ask([searchId])).body).toEqual({ endStates: { [searchId]: 'completed' } });
  });

  it('that finds nothing is billed nothing, and gives back what was held', async () => {
    const account = newAccount();
    const { status, body } = await search('xylophone', account);
    expect([status, body['total'], body['remaining_credits']]).toEqual([200, 0, 1]);
    const [event] = await registry.usageEventsOf(account);
    expect(event?.data).toMatchObject({ holdMicroCredits: '250000', bill: { listAmountMicroCredits: '0' } });
    // At once, and not only when billing reads the event.
    expect(registry.released).toEqual([body['search_id']]);
  });

  it('is refused with 403 to a credential that may not spend, with no hold and no usage event', async () => {
    const account = { ...newAccount(), scopes: ['read'] };
    const holds = registry.holds.length;
    const { status, body } = await search('distance', account);
    const refusal = { status: 'failure', code: 'insufficient_scope', scope: 'call' };
    expect([status, body]).toEqual([403, { ...refusal, message: expect.stringContaining('scope "call"') }]);
    expect([registry.holds.length, await registry.usageEventsOf(account)]).toEqual([holds, []]);
  });

  it('is refused with 402 in search shape when the credits are short, with one usage event and no result', async () => {
    registry.availableMicro = PRICE - 1n;
    const account = newAccount();
    const { status, body } = await search('distance', account);
    expect(status).toBe(402);
    expect(body).toEqual({
      status: 'failure',
      status_code: 402,
      message: expect.stringMatching(/insufficient credits/i),
      query: 'distance',
      search_id: 'srch_failed',
      total: 0,
      results: [],
      remaining_credits: 0,
      error_message: expect.stringContaining('0.249999'),
      code: 'insufficient_credits',
      details: [
        {
          type: 'insufficient_credits',
          loc: ['account', 'credits'],
          msg: expect.stringContaining('0.249999'),
          scope: 'account',
          needed_credits: 0.25,
          available_credits: 0.249999,
        },
      ],
    });
    const events = await registry.usageEventsOf(account);
    expect(events.map((event) => event.data)).toMatchObject([
      { success: false, reasonCode: 'insufficient_credits', httpStatusCode: 402, resultCount: 0 },
    ]);
    expect(events[0]?.data).not.toHaveProperty('bill');
  });

  it('is refused with 402 in search shape by a budget of its credential, in its session, with one usage event', async () => {
    const account = { ...newAccount(), budgets: { session: { limitMicroCredits: '300000' } } };
    registry.exceeded = [{ scope: 'session', limitMicroCredits: '300000', availableMicroCredits: '50000' }];
    const body = { query: 'distance', session_id: 'task' };
    const refused = await registry.post({ url, account, body });
    registry.exceeded = [];
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({
      query: 'distance',
      search_id: 'srch_failed',
      total: 0,
      results: [],
      remaining_credits: 1,
      code: 'budget_exceeded',
      details: [{ scope: 'session', needed_credits: 0.25, available_credits: 0.05, limit_credits: 0.3 }],
      error_message: expect.stringContaining('session'),
    });
    expect(registry.holds.at(-1)).toMatchObject({ sessionId: 'task' });
    const events = await registry.usageEventsOf(account);
    expect(events.map((event) => event.data)).toMatchObject([
      { success: false, reasonCode: 'budget_exceeded', httpStatusCode: 402, resultCount: 0 },
    ]);
    expect(events[0]?.data).not.toHaveProperty('bill');
  });

  it('reserves nothing for a body that is refused', async () => {
    const holds = registry.holds.length;
    expect(await search('')).toMatchObject({ status: 422 });
    expect(registry.holds).toHaveLength(holds);
  });

  it('is answered 503 with no usage event while billing is down', async () => {
    registry.billingIsUp = false;
    const account = newAccount();
    const { status, body } = await search('distance', account);
    registry.billingIsUp = true;
    expect(status).toBe(503);
    expect(body).toMatchObject({ message: expect.stringContaining('Retry later') });
    expect(await registry.usageEventsOf(account)).toEqual([]);
  });

  it('whose hold billing did not answer for leaves nothing held: it is released, or never placed', async () => {
    registry.holdsFail = true;
    const account = newAccount();
    const { status } = await search('distance', account);
    registry.holdsFail = false;
    expect(status).toBe(503);
    const asked = registry.holds.at(-1);
    const billableId = asked !== undefined && 'searchId' in asked ? asked.searchId : undefined;
    expect(registry.forestalled).toEqual([{ billableId, accountId: account.accountId, amountMicroCredits: '250000' }]);
  });

  it('that nobody knows is ended by the question, and can never be answered afterwards', async () => {
    const account = newAccount();
    const searchId = newSearchId(systemClock.nowMs());
    const answers = await Promise.all([1, 2, 3].map(() => ask([searchId], account.accountId)));
    for (const { body } of answers) expect(body).toEqual({ endStates: { [searchId]: 'interrupted' } });
    const recorder = new DiscoveryRecorder(registry.database.pool, { warn: () => undefined }, () => undefined);
    const late = recorder.record({
      kind: 'search',
      usageEventId: usageEventIdOf(searchId),
      searchId,
      account,
      requestPayload: {},
      requestedCount: 0,
      toolIds: [],
      durationMs: 1,
      completedAt: new Date().toISOString(),
      requestId: 'late',
    });
    await expect(late).rejects.toThrow('already there');
    // Nothing is published of it either.
    expect(await registry.usageEventsOf(account)).toEqual([]);
  });

  it('is asked about by billing alone, at most 500 at once', async () => {
    const searches = [{ searchId: newSearchId(1), accountId: newAccount().accountId }];
    expect(await registry.post({ url: askUrl, as: 'execution', body: { searches } })).toMatchObject({ status: 403 });
    const many = Array.from({ length: 501 }, () => searches[0]);
    expect(await registry.post({ url: askUrl, as: 'billing', body: { searches: many } })).toMatchObject({
      status: 422,
    });
  });
});

describe('a billed search whose database breaks off', () => {
  let proxy: SilentProxy;
  let registry: RunningRegistry;
  beforeAll(async () => {
    registry = await RunningRegistry.start(undefined, { SEARCH_PRICE_CREDITS: '0.25' }, {}, async (databaseUrl) => {
      proxy = await SilentProxy.before(databaseUrl);
      return proxy.urlOf(databaseUrl);
    });
  });
  afterAll(async () => {
    await registry.stop();
    await proxy.close();
  });
  const search = (account: AccountAssertion) => registry.post({ url, account, body: { query: 'distance' } });

  it('is answered, and leaves one event, where the answer to its record was lost', async () => {
    const account = newAccount();
    proxy.loseAnswerTo('record-discoveries');
    expect((await search(account)).status).toBe(200);
    expect(await registry.usageEventsOf(account)).toHaveLength(1);
  });

  it('gives back at once what was held for it, where nothing was recorded', async () => {
    const account = newAccount();
    proxy.refuse();
    expect((await search(account)).status).toBe(503);
    const hold = registry.holds.at(-1);
    expect(registry.released).toContain(hold !== undefined && 'searchId' in hold ? hold.searchId : undefined);
    expect(await registry.usageEventsOf(account)).toEqual([]);
  });
});

describe('the price of a search', () => {
  it.each(['-1', '1000.000001', '0.0000001', 'free'])('cannot be %s', (price) => {
    const env = { REGISTRY_DATABASE_URL: 'postgres://localhost/registry', SEARCH_PRICE_CREDITS: price };
    expect(() => loadRegistryConfig(env)).toThrow('SEARCH_PRICE_CREDITS');
  });

  it('is 0 unless it is set, and billing is then not asked for a hold', async () => {
    const registry = await RunningRegistry.start();
    try {
      const account = newAccount();
      const { body } = await registry.post({ url, account, body: { query: 'distance' } });
      expect(body).toMatchObject({ total: 1, remaining_credits: 995.5 });
      expect(registry.holds).toEqual([]);
      const [event] = await registry.usageEventsOf(account);
      for (const member of ['bill', 'priceRule', 'holdMicroCredits']) expect(event?.data).not.toHaveProperty(member);
    } finally {
      await registry.stop();
    }
  });
});
