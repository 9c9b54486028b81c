import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { usageEventIdOf, type SearchId } from '@capability-router/kernel';
import { newAccount, RunningRegistry } from '../test-support/running-registry.js';
import { sampleTool } from '../test-support/sample-catalogue.js';

const url = '/api/v1/search';
const known = sampleTool().toolId;

describe('Discover', () => {
  let registry: RunningRegistry;
  beforeAll(async () => {
    registry = await RunningRegistry.start();
  });
  afterAll(() => registry.stop());

  it('finds a tool in full shape and leaves one usage event with its search id', async () => {
    const account = newAccount();
    const { status, body } = await registry.post({ url, account, body: { query: 'distance between cities' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      query: 'distance between cities',
      total: 1,
      error_message: null,
      remaining_credits: 995.5,
    });
    expect(body['search_id']).toMatch(/^srch_[0-9a-f]{32}$/);
    const [result] = body['results'] as Record<string, unknown>[];
    expect(result).toMatchObject({ tool_id: known, expected_cost: '0.5', region: 'global' });
    expect(result?.['final_score']).toBeGreaterThan(0);
    expect(result?.['final_score']).toBeLessThanOrEqual(1);
    const [event, ...more] = await registry.usageEventsOf(account);
    expect(more).toEqual([]);
    expect(event?.data).toMatchObject({
      usageEventId: usageEventIdOf(body['search_id'] as SearchId),
      searchId: body['search_id'],
      success: true,
      resultCount: 1,
    });
    expect(JSON.stringify(event)).not.toContain('between');
  });

  it('answers an exact tool id with that tool', async () => {
    const { body } = await registry.post({ url, account: newAccount(), body: { query: known } });
    expect(body).toMatchObject({ total: 1, results: [{ tool_id: known, final_score: 1 }] });
  });

  it('is empty, not an error, when nothing matches', async () => {
    const account = newAccount();
    const { status, body } = await registry.post({ url, account, body: { query: 'xylophone' } });
    expect([status, body['total'], body['results'], body['error_message']]).toEqual([200, 0, [], null]);
    expect(await registry.usageEventsOf(account)).toHaveLength(1);
  });

  it('shows routing cards, and Chinese by body or by header', async () => {
    const account = newAccount();
    const card = await registry.post({ url, account, body: { query: 'distance', view: 'routing', lang: 'zh' } });
    expect(card.body['results']).toEqual([
      {
        tool_id: known,
        capability: '城市距离: 计算两座城市之间的大圆距离。',
        cost_class: 'low',
        reliability: 'unknown',
        as_of_support: false,
      },
    ]);
    const headers = { 'accept-language': 'zh-CN,en;q=0.5' };
    const byHeader = await registry.post({ url, account, headers, body: { query: 'distance' } });
    expect(byHeader.body['results']).toMatchObject([{ name: '城市距离' }]);
    const byBody = await registry.post({ url, account, headers, body: { query: 'distance', lang: 'en' } });
    expect(byBody.body['results']).toMatchObject([{ name: 'City distance' }]);
  });

  it('accepts a null search_id and members it does not know', async () => {
    const body = { query: 'distance', search_id: null, session_id: null, surprise: { a: ['\0', '\ud800'] } };
    expect(await registry.post({ url, account: newAccount(), body })).toMatchObject({ status: 200 });
  });

  it.each(['tool', '...', '?! …', '😀', 'What is the tool for it', '的了吗'])(
    'finds nothing by %j, which has no word to search by, and records a search',
    async (query) => {
      const account = newAccount();
      const { status, body } = await registry.post({ url, account, body: { query } });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { query, total: 0, results: [], notice: expect.any(String), error_message: null },
      });
      const events = await registry.usageEventsOf(account);
      expect(events.map((event) => event.data)).toMatchObject([{ success: true, resultCount: 0 }]);
    },
  );

  it.each([
    ['no query', {}, 'query'],
    ['an empty query', { query: '' }, 'query'],
    ['a blank query', { query: ' \n\t ' }, 'query'],
    ['a query of 10,000 characters', { query: 'a'.repeat(10_000) }, 'query'],
    ['a control character', { query: 'dis\u0000tance' }, 'query'],
    ['a query that is a number', { query: 5 }, 'query'],
    ['a limit of 0', { query: 'distance', limit: 0 }, 'limit'],
    ['a limit of 101', { query: 'distance', limit: 101 }, 'limit'],
    ['a limit as text', { query: 'distance', limit: '5' }, 'limit'],
    ['an unknown view', { query: 'distance', view: 'lean' }, 'view'],
    ['an unknown language', { query: 'distance', lang: 'fr' }, 'lang'],
    ['a session id with a line break', { query: 'distance', session_id: 'a\nb' }, 'session_id'],
  ])('refuses %s with 422, and leaves one usage event of the refusal', async (_name, body, field) => {
    const account = newAccount();
    const answer = await registry.post({ url, account, body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ message: expect.any(String), detail: [{ loc: ['body', field] }] });
    const events = await registry.usageEventsOf(account);
    expect(events.map((event) => event.data)).toMatchObject([
      { success: false, reasonCode: 'validation_error', httpStatusCode: 422, resultCount: 0 },
    ]);
  });

  it('refuses a body that is no object, and unreadable JSON without a usage event', async () => {
    const account = newAccount();
    expect(await registry.post({ url, account, body: '["distance"]' })).toMatchObject({ status: 422 });
    expect(await registry.post({ url, account, body: '{"query":' })).toMatchObject({ status: 400 });
    expect(await registry.usageEventsOf(account)).toHaveLength(1);
  });

  it('answers without remaining credits while billing is down', async () => {
    registry.billingIsUp = false;
    const { status, body } = await registry.post({ url, account: newAccount(), body: { query: 'distance' } });
    registry.billingIsUp = true;
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('remaining_credits');
  });

  it('keeps the tools that a search returned', async () => {
    const account = newAccount();
    const { body } = await registry.post({ url, account, body: { query: 'distance' } });
    const { rows } = await registry.database.pool.query(
      'SELECT account_id, tool_ids FROM search_results WHERE search_id = $1',
      [body['search_id']],
    );
    expect(rows).toEqual([{ account_id: account.accountId, tool_ids: [known] }]);
  });

  it('serves the gateway alone, and only for an account', async () => {
    const body = { query: 'distance' };
    expect(await registry.post({ url, body, as: 'billing' })).toMatchObject({ status: 403 });
    expect(await registry.post({ url, body })).toMatchObject({ status: 401 });
  });
});
