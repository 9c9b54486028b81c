import { describe, expect, it } from '@jest/globals';
import { newAccount } from './support/accounts.js';
import { settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { call } from './support/http.js';
import { asArray, asNumber, asObject, asString, type JsonObject } from './support/json.js';
import { failingCall, freeCall, inspectTool, paidCall } from './support/tools.js';

/** At least the samples below which no rate is told. */
const CALLS = 20;
/** Accounts whose word begins to count. */
const ACCOUNTS = 5;

const statsOf = async (key: string, toolId: string): Promise<JsonObject> =>
  asObject((await inspectTool(key, toolId))['stats'], 'stats');

describe('what calls say about a tool', () => {
  it('stands in its statistics soon after', async () => {
    const { key } = await newAccount();
    const before = asNumber((await statsOf(key, freeCall.toolId))['sample_count'], 'sample_count');
    for (let calls = 0; calls < CALLS; calls += 1) expect((await execute(key, freeCall)).status).toBe(200);
    await eventually(async () => {
      const stats = await statsOf(key, freeCall.toolId);
      expect(stats).toMatchObject({ data_status: 'available', window: '30d' });
      expect(stats['sample_count']).toBeGreaterThanOrEqual(before + CALLS);
      expect(stats['success_rate']).toBeGreaterThan(0);
      expect(stats['success_rate']).toBeLessThanOrEqual(1);
      expect(stats['avg_execution_time_ms']).toBeGreaterThanOrEqual(0);
      expect(stats['p95_execution_time_ms']).toBeGreaterThanOrEqual(0);
      expect(Date.parse(asString(stats['last_checked_at'], 'last_checked_at'))).not.toBeNaN();
    });
  });

  it('does not hold a fault of the caller against it', async () => {
    const { key } = await newAccount();
    const { toolId } = failingCall;
    const good = { toolId, parameters: { expression: '1 + 1' } };
    const before = asNumber((await statsOf(key, toolId))['sample_count'], 'sample_count');
    for (let calls = 0; calls < CALLS; calls += 1) {
      expect((await execute(key, failingCall)).json['success']).toBe(false);
      expect((await execute(key, good)).json['success']).toBe(true);
    }
    await eventually(async () => {
      const stats = await statsOf(key, toolId);
      expect(stats['sample_count']).toBeGreaterThanOrEqual(before + CALLS);
      // Half of all calls failed; had they counted, the rate could not be near 1.
      expect(stats['success_rate']).toBeGreaterThan(0.9);
    });
  });
});

describe('a search that led to a paid call', () => {
  /** A word that the tool's own text does not hold. */
  const query = 'public holidays lighthouse';

  const find = async (key: string): Promise<{ searchId: string; finalScore: number }> => {
    const { json } = await call('POST', '/search', { key, body: { query, limit: 20 } });
    const results = asArray(json['results'], 'results').map((result) => asObject(result));
    const found = results.find((result) => result['tool_id'] === paidCall.toolId);
    return {
      searchId: asString(json['search_id'], 'search_id'),
      finalScore: asNumber(found?.['final_score'], 'final_score'),
    };
  };

  it('helps the next one in the same words, once enough accounts have paid', async () => {
    const stranger = await newAccount();
    const before = await find(stranger.key);
    for (let accounts = 0; accounts < ACCOUNTS; accounts += 1) {
      const { key } = await newAccount();
      const { searchId } = await find(key);
      const reply = await execute(key, paidCall, { search_id: searchId });
      expect(await settledUsageOf(key, reply.json['execution_id'])).toMatchObject({ charge_outcome: 'charged' });
    }
    await eventually(async () => {
      expect((await find(stranger.key)).finalScore).toBeGreaterThan(before.finalScore);
    });
  });
});
