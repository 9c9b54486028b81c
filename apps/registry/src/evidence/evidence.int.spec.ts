import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { newExecutionId, toIso } from '@capability-router/kernel';
import { RunningRegistry, newAccount } from '../test-support/running-registry.js';
import { sampleTool } from '../test-support/sample-catalogue.js';

const { toolId, providerId } = sampleTool();
/** More than one refresh of the service. */
const DEADLINE_MS = 60_000;
const POLL_INTERVAL_MS = 100;

describe('the service', () => {
  let registry: RunningRegistry;
  beforeAll(async () => {
    registry = await RunningRegistry.start(undefined, { REGISTRY_STATISTICS_MIN_SAMPLES: '3' });
  });
  afterAll(() => registry.stop());

  const eventually = async (holds: () => Promise<boolean>): Promise<void> => {
    const end = performance.now() + DEADLINE_MS;
    while (!(await holds())) {
      if (performance.now() > end) throw new Error('it did not come');
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  };

  it('is ready while it follows the events of the others', async () => {
    await eventually(async () => registry.service.ready().ready);
  });

  it('shows in its answers what executions have said about a tool', async () => {
    const account = newAccount();
    for (const reasonCode of ['result.valid', 'result.valid', 'result.valid', 'transport.timeout']) {
      const executionId = newExecutionId(Date.now());
      await registry.hear(topicNames.executions, 'ExecutionCompleted', account.accountId, {
        executionId,
        accountId: account.accountId,
        eventType: 'tool_execute',
        toolId,
        providerId,
        outcome: { reasonCode },
        durationMs: 40,
        completedAt: toIso(Date.now()),
      });
    }
    const statsOf = async (): Promise<unknown> => {
      const { body } = await registry.post({ url: '/api/v1/tools/by-ids', account, body: { tool_ids: [toolId] } });
      return (body['results'] as { stats: unknown }[])[0]?.stats;
    };
    await eventually(async () => ((await statsOf()) as { sample_count?: number }).sample_count === 4);
    const stats = await statsOf();
    expect(stats).toMatchObject({ success_rate: 0.75, avg_execution_time_ms: 40, data_status: 'available' });
    // 40 ms lies in a bucket of which the bounds are known; within it is interpolated.
    const { p95_execution_time_ms: p95 } = stats as { p95_execution_time_ms: number };
    expect(p95).toBeGreaterThan(40 / 1.25);
    expect(p95).toBeLessThan(40 * 1.25);
  }, 120_000);

  it('forgets the queries of an account that is erased', async () => {
    const account = newAccount();
    const { accountId } = account;
    await registry.post({ url: '/api/v1/search', account, body: { query: 'distance' } });
    const payloads = async (): Promise<number> => {
      const sql = 'SELECT FROM discovery_payloads WHERE account_id = $1';
      return (await registry.database.pool.query(sql, [accountId])).rows.length;
    };
    expect(await payloads()).toBe(1);
    await registry.hear(topicNames.accounts, 'AccountErased', accountId, { accountId, erasedAt: toIso(Date.now()) });
    await eventually(async () => (await payloads()) === 0);
  }, 120_000);
});
