import { describe, expect, it } from '@jest/globals';
import { newAccount } from './support/accounts.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { asNumber, asObject, asString, type JsonObject } from './support/json.js';
import { startTaughtTool } from './support/taught-tool.js';
import { failingCall, freeCall, inspectTool } from './support/tools.js';

/** At least the samples below which no rate is told. */
const CALLS = 20;

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
      expect((await execute(key, failingCall)).json).toMatchObject({ success: false });
      expect((await execute(key, good)).json).toMatchObject({ success: true });
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
  it('helps the next one in the same words, once enough accounts have paid', async () => {
    const stranger = await newAccount();
    const tool = await startTaughtTool('lighthouse');
    try {
      const before = await tool.finalScore(stranger.key);
      await tool.teach();
      await eventually(async () => expect(await tool.finalScore(stranger.key)).toBeGreaterThan(before));
    } finally {
      await tool.close();
    }
  });
});
