/** @postgres-versions Copies follow the order of commits. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import type { EventBatch } from '@capability-router/event-bus';
import { newExecutionId, systemClock, type JsonObject } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import { sampleEvent, sampleTool } from '../test-support/sample-tool.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { copyTools } from '../tool-copies/copy-tools.js';
import { EvidenceCopy } from './evidence-copy.js';
import { recordEvidence } from './record-evidence.js';

const { toolId, providerId, provider } = sampleTool();
const sibling = 'geokit.route.compute.v1';
const OWNER = 'acc_owner';

const ended = (over: JsonObject = {}): EventEnvelope => {
  const nowMs = systemClock.nowMs();
  return sampleEvent(
    'ExecutionCompleted',
    {
      executionId: newExecutionId(nowMs),
      accountId: 'acc_1',
      eventType: 'tool_execute',
      toolId,
      outcome: { reasonCode: 'result.valid' },
      durationMs: 40,
      completedAt: new Date(nowMs).toISOString(),
      ...over,
    },
    topicNames.executions,
  );
};
const failed = (over: JsonObject = {}) => ended({ outcome: { reasonCode: 'provider.http_error' }, ...over });
const several = (count: number, event: () => EventEnvelope) => Array.from({ length: count }, event);

describe('what calls say about tools', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
    const tools = [toolId, sibling].map((id) =>
      sampleEvent('ToolPublished', {
        tool: sampleTool({ toolId: id, provider: { ...provider, ownerAccountIds: [OWNER] } }),
      }),
    );
    await inTransaction(database.pool, (tx) => copyTools(tx, tools));
  });
  afterAll(() => database.drop());

  const record = (events: EventBatch) => inTransaction(database.pool, (tx) => recordEvidence(tx, events));
  const copyOf = async (): Promise<EvidenceCopy> => {
    const copy = new EvidenceCopy(database.pool, systemClock);
    await copy.load();
    return copy;
  };

  it('is counted once, however often an event comes, by any number of consumers at once', async () => {
    const events = [...several(30, ended), failed()];
    await record(events);
    await Promise.all([record(events), record(several(10, ended)), record(events)]);
    const { successes, failures, p95Ms, admittedShare } = (await copyOf()).of(toolId, providerId, 'acc_1');
    expect([successes, failures, admittedShare]).toEqual([40, 1, 1]);
    expect(p95Ms).toBeGreaterThan(30);
    expect(p95Ms).toBeLessThan(50);
  });

  it('is nothing of an unknown tool, of an owner, and of what was not sent', async () => {
    const before = (await copyOf()).of(toolId, providerId, 'acc_1');
    await record([
      failed({ toolId: 'no.such.tool.v1' }),
      failed({ accountId: OWNER }),
      ended({ servedFromCache: true }),
    ]);
    expect((await copyOf()).of(toolId, providerId, 'acc_1')).toEqual(before);
    expect((await copyOf()).of('no.such.tool.v1', 'no', 'acc_1')).toMatchObject({
      successes: 0,
      failures: 0,
      admittedShare: 1,
    });
  });

  it('keeps a provider that fails from every replica, those that start later too', async () => {
    const replica = await copyOf();
    expect(replica.of(toolId, providerId, 'acc_1').admittedShare).toBe(1);
    const attempts = [
      { toolId: sibling, toolVersion: 1, status: 'failed', reason: 'transport.timeout', durationMs: 9 },
    ];
    const query = (accountId: string) => ended({ accountId, eventType: 'capabilities_query', attempts });
    await record(several(5, () => query('acc_2')));
    await replica.refresh();
    // One account may fail as often as it likes: it is kept from the provider, and no other is.
    expect(replica.of(sibling, providerId, 'acc_2')).toMatchObject({ admittedShare: 0, isTakenBack: true });
    expect(replica.of(sibling, providerId, 'acc_1')).toMatchObject({ admittedShare: 1, isTakenBack: false });
    await record([query('acc_3')]);
    await replica.refresh();
    for (const copy of [replica, await copyOf()]) {
      expect(copy.of(sibling, providerId, 'acc_1')).toMatchObject({ successes: 0, failures: 6, admittedShare: 0 });
      // The provider failed in a row, for two accounts, by whichever of its tools.
      expect(copy.of(toolId, providerId, 'acc_1')).toMatchObject({ failures: 1, admittedShare: 0 });
      expect(copy.of(toolId, 'another', 'acc_1').admittedShare).toBe(1);
    }
  });
});
