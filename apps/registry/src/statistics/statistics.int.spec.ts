/** @postgres-versions Consumers of several partitions count in transactions at the same time. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import { newExecutionId, toIso, uuidv7 } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { EvidenceStack } from '../test-support/evidence-stack.js';
import { newAccount } from '../test-support/running-registry.js';
import { sampleTool } from '../test-support/sample-catalogue.js';
import { countExecutions } from './count-executions.js';
import { sweepStatistics } from './sweep-statistics.js';

const toolNamed = (name: string): string => `geokit.${name}.compute.v1`;
const names = ['busy', 'twice', 'owned', 'old', 'shared', 'parallel', 'quiet', 'follower', 'unhindered'];
const owner = newAccount();

/** The pool, of which every statement about erased accounts fails. */
const withoutErasures = (pool: pg.Pool): pg.Pool =>
  new Proxy(pool, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => unknown;
      if (member !== 'query') return method;
      return (...args: unknown[]) =>
        JSON.stringify(args[0]).includes('erased_accounts') ? Promise.reject(new Error('no')) : method(...args);
    },
  });

describe('statistics of tools', () => {
  let stack: EvidenceStack;
  beforeAll(async () => {
    const tools = names.map((name) => sampleTool({ toolId: toolNamed(name) }));
    stack = await EvidenceStack.start({ tools, ownerAccountIds: [owner.accountId] });
  });
  afterAll(async () => {
    await stack.stop();
    await stack.database.drop();
  });

  const failed = { success: false, outcome: { outcome: 'provider_failure', reasonCode: 'provider.error' } };
  const caller = newAccount();

  it('tell rate and latency from the calls that say something about the tool', async () => {
    const toolId = toolNamed('busy');
    for (const durationMs of [100, 200, 300]) await stack.complete({ account: caller, toolId, durationMs });
    await stack.complete({ account: caller, toolId, durationMs: 30_000, data: failed });
    const refused = { outcome: { outcome: 'refused', reasonCode: 'validation_error' } };
    await stack.complete({ account: caller, toolId, data: refused });
    await stack.complete({ account: caller, toolId, durationMs: 0, data: { servedFromCache: true } });
    await stack.settled();
    const statistics = stack.evidence.statistics.get(toolId);
    expect(statistics).toMatchObject({
      sampleCount: 4,
      successRate: 0.75,
      averageMs: 200,
      status: 'available',
      window: '30d',
      lastCheckedAt: toIso(stack.clock.nowMs()),
    });
    expect(statistics.p95Ms).toBeGreaterThan(200);
    expect(statistics.p95Ms).toBeLessThan(300 * 1.25);
  });

  it('count an execution once, however often its event comes', async () => {
    const toolId = toolNamed('twice');
    const executionId = newExecutionId(stack.clock.nowMs());
    for (let times = 0; times < 3; times += 1) await stack.complete({ account: caller, toolId, executionId });
    await stack.settled();
    await stack.complete({ account: caller, toolId, executionId });
    await stack.settled();
    expect(stack.evidence.statistics.get(toolId)).toMatchObject({ sampleCount: 1, status: 'insufficient' });
    expect(stack.evidence.statistics.get(toolId)).not.toHaveProperty('successRate');
  });

  it("leave out calls of the provider's own accounts", async () => {
    const toolId = toolNamed('owned');
    for (let times = 0; times < 5; times += 1) await stack.complete({ account: owner, toolId });
    await stack.complete({ account: caller, toolId });
    await stack.settled();
    expect(stack.evidence.statistics.get(toolId).sampleCount).toBe(1);
  });

  it('say nothing of a call before the window, or of a tool that nobody published', async () => {
    const toolId = toolNamed('old');
    const completedAt = toIso(stack.clock.nowMs() - 31 * 86_400_000);
    await stack.complete({ account: caller, toolId, data: { completedAt } });
    await stack.complete({ account: caller, toolId: 'geokit.nobody.compute.v1' });
    await stack.settled();
    expect(stack.evidence.statistics.get(toolId)).toEqual({ sampleCount: 0, status: 'insufficient', window: '30d' });
    const { rows } = await stack.database.pool.query('SELECT FROM statistics_buckets WHERE subject = ANY($1)', [
      [`tool:${toolId}`, 'tool:geokit.nobody.compute.v1'],
    ]);
    expect(rows).toEqual([]);
  });

  it('add up the tools of a provider', async () => {
    const before = stack.evidence.statistics.ofProvider('geokit').sampleCount;
    await stack.complete({ account: caller, toolId: toolNamed('shared') });
    await stack.complete({ account: caller, toolId: toolNamed('quiet'), data: failed });
    await stack.settled();
    expect(stack.evidence.statistics.ofProvider('geokit').sampleCount).toBe(before + 2);
    expect(stack.evidence.statistics.ofProvider('nobody').sampleCount).toBe(0);
  });

  it('lose nothing when consumers of several partitions count the same tool at once', async () => {
    const toolId = toolNamed('parallel');
    const { pool } = stack.database;
    const completed = (): EventEnvelope => {
      const executionId = newExecutionId(stack.clock.nowMs());
      const { accountId } = newAccount();
      const data = {
        executionId,
        accountId,
        eventType: 'tool_execute',
        toolId,
        providerId: 'geokit',
        outcome: { reasonCode: 'result.valid' },
        durationMs: 7,
        completedAt: toIso(stack.clock.nowMs()),
      };
      return {
        id: uuidv7(stack.clock.nowMs()),
        type: 'ExecutionCompleted',
        source: 'execution',
        subject: executionId,
        sequence: 2,
        time: data.completedAt,
        topic: topicNames.executions,
        partitionKey: accountId,
        data,
      };
    };
    const batches = Array.from({ length: 8 }, () => Array.from({ length: 25 }, completed));
    await Promise.all(
      batches.map((events) => inTransaction(pool, (tx) => countExecutions(tx, events, stack.clock, 30))),
    );
    await stack.settled();
    expect(stack.evidence.statistics.get(toolId)).toMatchObject({ sampleCount: 200, averageMs: 7 });
  });

  it('reach every replica, and a replica that starts later', async () => {
    const toolId = toolNamed('follower');
    const { database, clock } = stack;
    const tools = names.map((name) => sampleTool({ toolId: toolNamed(name) }));
    const other = await EvidenceStack.start({ database, clock, tools, ownerAccountIds: [owner.accountId] });
    try {
      expect(other.evidence.statistics.get(toolNamed('busy')).sampleCount).toBe(4);
      await stack.complete({ account: caller, toolId });
      await other.eventually(() => other.evidence.statistics.get(toolId).sampleCount === 1);
      await stack.eventually(() => stack.evidence.statistics.get(toolId).sampleCount === 1);
    } finally {
      await other.stop();
    }
  });

  it('reach a replica that cannot do its other work', async () => {
    const toolId = toolNamed('unhindered');
    const { database, clock } = stack;
    const tools = names.map((name) => sampleTool({ toolId: toolNamed(name) }));
    const other = await EvidenceStack.start({
      database: { ...database, pool: withoutErasures(database.pool) },
      clock,
      tools,
      ownerAccountIds: [owner.accountId],
    });
    try {
      await stack.complete({ account: caller, toolId });
      await other.eventually(() => other.evidence.statistics.get(toolId).sampleCount === 1);
    } finally {
      await other.stop();
    }
  });

  it('get stale, then leave the window, and are swept', async () => {
    const toolId = toolNamed('busy');
    stack.clock.moveDays(8);
    expect(stack.evidence.statistics.get(toolId)).toMatchObject({ status: 'unavailable', sampleCount: 0 });
    await stack.settled();
    expect(stack.evidence.statistics.get(toolId)).toMatchObject({ status: 'stale', successRate: 0.75 });
    stack.clock.moveDays(24);
    await stack.eventually(async () => {
      await stack.settled();
      return stack.evidence.statistics.get(toolId).sampleCount === 0;
    });
    expect(await sweepStatistics(stack.database.pool, stack.clock.nowMs(), 30)).toBeGreaterThan(0);
    const { rows } = await stack.database.pool.query(
      'SELECT FROM statistics_buckets UNION ALL SELECT FROM counted_executions',
    );
    expect(rows).toEqual([]);
  });
});
