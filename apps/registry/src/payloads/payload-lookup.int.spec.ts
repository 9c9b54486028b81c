import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { usageEventIdOf, type SearchId } from '@capability-router/kernel';
import { sweepRetention } from '../retention/retention-sweep.js';
import { newAccount, RunningRegistry } from '../test-support/running-registry.js';
import { sampleTool } from '../test-support/sample-catalogue.js';

const url = '/internal/payloads:lookup';
const DAY_MS = 86_400_000;

describe('look-up of payloads', () => {
  let registry: RunningRegistry;
  beforeAll(async () => {
    registry = await RunningRegistry.start();
  });
  afterAll(() => registry.stop());

  const search = async (account = newAccount()) => {
    const { body } = await registry.post({ url: '/api/v1/search', account, body: { query: 'distance', limit: 5 } });
    return { accountId: account.accountId, usageEventIds: [usageEventIdOf(body['search_id'] as SearchId)] };
  };

  it('gives billing the query, the request and what was found, by usage event', async () => {
    const request = await search();
    const { status, body } = await registry.post({ url, as: 'billing', body: request });
    expect(status).toBe(200);
    expect(body).toEqual({
      payloads: {
        [request.usageEventIds[0] ?? '']: {
          query: 'distance',
          requestPayload: { query: 'distance', limit: 5 },
          responsePayloadSummary: { total: 1, tool_ids: [sampleTool().toolId] },
        },
      },
    });
  });

  it('gives what an Inspect asked for and found, and of a refusal only what was asked for', async () => {
    const account = newAccount();
    const known = sampleTool().toolId;
    await registry.post({ url: '/api/v1/tools/by-ids', account, body: { tool_ids: ['a.b.c.v1', known] } });
    await registry.post({ url: '/api/v1/tools/by-ids', account, body: { tool_ids: [] } });
    const events = await registry.usageEventsOf(account);
    const [inspected = '', refused = ''] = events.map(({ data }) => (data as { usageEventId: string }).usageEventId);
    const request = { accountId: account.accountId, usageEventIds: [inspected, refused] };
    const { body } = await registry.post({ url, as: 'billing', body: request });
    expect(body['payloads']).toEqual({
      [inspected]: {
        requestPayload: { tool_ids: ['a.b.c.v1', known] },
        responsePayloadSummary: { total: 1, tool_ids: [known] },
      },
      [refused]: { requestPayload: { tool_ids: [] } },
    });
  });

  it('finds nothing of another account, and serves billing alone', async () => {
    const request = { ...(await search()), accountId: newAccount().accountId };
    expect(await registry.post({ url, as: 'billing', body: request })).toMatchObject({ body: { payloads: {} } });
    expect(await registry.post({ url, as: 'gateway', body: request })).toMatchObject({ status: 403 });
  });

  it('refuses what is no list of UUIDs, and more than 500', async () => {
    const { accountId, usageEventIds } = await search();
    const many = Array.from({ length: 501 }, () => usageEventIds[0]);
    for (const ids of [['nonsense'], many]) {
      const body = { accountId, usageEventIds: ids };
      expect(await registry.post({ url, as: 'billing', body })).toMatchObject({ status: 422 });
    }
  });

  it('leaves out what retention has removed, and retention removes nothing younger', async () => {
    const request = await search();
    const policy = { payloadRetentionDays: 30, searchResultRetentionDays: 30 };
    const { pool } = registry.database;
    expect(await sweepRetention(pool, Date.now(), policy)).toBe(0);
    expect(await sweepRetention(pool, Date.now() + 31 * DAY_MS, policy)).toBeGreaterThan(0);
    expect(await registry.post({ url, as: 'billing', body: request })).toMatchObject({ body: { payloads: {} } });
  });
});
