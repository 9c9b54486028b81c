import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import { newSearchId, usageEventIdOf } from '@capability-router/kernel';
import { SilentProxy } from '@capability-router/service-kit/testing';
import pg from 'pg';
import { newAccount } from '../test-support/running-registry.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import type { Discovery } from './discovery.js';
import { DiscoveryRecorder } from './discovery-recorder.js';

const topics = ['internal.registry.searches.v1'];
const account = newAccount();

const searched = (over: Partial<Discovery> = {}): Discovery => {
  const searchId = newSearchId(Date.now());
  return {
    kind: 'search',
    usageEventId: usageEventIdOf(searchId),
    searchId,
    account,
    query: 'distance',
    requestPayload: { query: 'distance' },
    requestedCount: 0,
    toolIds: ['a.b.c.v1', 'a.b.d.v1'],
    durationMs: 1,
    completedAt: '2026-01-01T00:00:00.000Z',
    requestId: 'req',
    ...over,
  };
};

describe('recorder of discoveries', () => {
  let database: ScratchDatabase;
  const warnings: unknown[] = [];
  let commits = 0;
  let recorder: DiscoveryRecorder;

  beforeAll(async () => {
    database = await createScratchDatabase();
    recorder = new DiscoveryRecorder(database.pool, { warn: (facts: unknown) => void warnings.push(facts) }, () => {
      commits += 1;
    });
  });
  afterAll(() => database.drop());

  const recorded = async (): Promise<Map<string, number>> => {
    await untilReadable(database.pool);
    const { events } = await readAfter(database.pool, '', 2_000, topics);
    const counts = new Map<string, number>();
    for (const { subject } of events) counts.set(subject, (counts.get(subject) ?? 0) + 1);
    return counts;
  };
  const count = async (table: string): Promise<number> =>
    (await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]?.n ?? 0;

  it('writes exactly one event for each of many at once, with fewer commits than requests', async () => {
    const discoveries = Array.from({ length: 500 }, () => searched());
    await Promise.all(discoveries.map((discovery) => recorder.record(discovery)));
    const counts = await recorded();
    expect(discoveries.map(({ usageEventId }) => counts.get(usageEventId))).toEqual(discoveries.map(() => 1));
    expect(await count('search_results')).toBe(500);
    expect(await count('discovery_payloads')).toBe(500);
    expect(commits).toBeLessThan(500);
  });

  it('has the event durable before it answers', async () => {
    const discovery = searched();
    await recorder.record(discovery);
    const { rowCount } = await database.pool.query('SELECT 1 FROM events WHERE stream_id = $1', [
      discovery.usageEventId,
    ]);
    expect(rowCount).toBe(1);
  });

  it('lets a request that is there already fail alone', async () => {
    const known = searched();
    await recorder.record(known);
    const others = [searched(), searched(), searched()];
    const [first, ...rest] = await Promise.allSettled([known, ...others].map((each) => recorder.record(each)));
    expect(first?.status).toBe('rejected');
    expect(rest.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    const counts = await recorded();
    expect([known, ...others].map(({ usageEventId }) => counts.get(usageEventId))).toEqual([1, 1, 1, 1]);
  });

  it('keeps the event where the texts are refused', async () => {
    warnings.length = 0;
    const tooMany = searched({ toolIds: Array.from({ length: 101 }, (_, index) => `a.b.c.v${index + 1}`) });
    const beside = searched();
    await Promise.all([recorder.record(tooMany), recorder.record(beside)]);
    const counts = await recorded();
    expect([tooMany, beside].map(({ usageEventId }) => counts.get(usageEventId))).toEqual([1, 1]);
    expect(warnings).toMatchObject([{ usageEventId: tooMany.usageEventId }]);
    const { rows } = await database.pool.query<{ usage_event_id: string }>(
      'SELECT usage_event_id FROM discovery_payloads WHERE usage_event_id = ANY($1)',
      [[tooMany.usageEventId, beside.usageEventId]],
    );
    expect(rows).toEqual([{ usage_event_id: beside.usageEventId }]);
  });

  it('says that it may be sent again while the database is away', async () => {
    const proxy = await SilentProxy.before(database.ownerUrl);
    const pool = new pg.Pool({ connectionString: proxy.urlOf(database.ownerUrl) });
    await proxy.close();
    const cut = new DiscoveryRecorder(pool, { warn: () => undefined }, () => undefined);
    await expect(cut.record(searched())).rejects.toMatchObject({ code: 'service_unavailable', httpStatus: 503 });
    await pool.end();
  });

  describe('where the answer to its statement is lost', () => {
    let proxy: SilentProxy;
    let pool: pg.Pool;
    let cut: DiscoveryRecorder;
    beforeEach(async () => {
      proxy = await SilentProxy.before(database.ownerUrl);
      pool = new pg.Pool({ connectionString: proxy.urlOf(database.ownerUrl) });
      pool.on('error', () => undefined);
      cut = new DiscoveryRecorder(pool, { warn: () => undefined }, () => undefined);
    });
    afterEach(async () => {
      await pool.end();
      await proxy.close();
    });
    const bill = { holdMicroCredits: '1' } as unknown as NonNullable<Discovery['charge']>;

    it('finds its own event by writing it again, and others beside it are recorded once, too', async () => {
      proxy.loseAnswerTo('record-discoveries');
      const discoveries = [searched({ charge: bill }), searched(), searched()];
      await Promise.all(discoveries.map((discovery) => cut.record(discovery)));
      const counts = await recorded();
      expect(discoveries.map(({ usageEventId }) => counts.get(usageEventId))).toEqual([1, 1, 1]);
    });

    it.each([
      ['billed, says that it may be charged, and never "send it again"', { charge: bill }, 'internal_error', 500],
      ['free, says that it may be sent again', {}, 'service_unavailable', 503],
    ])('and the database is away from then on, of a search that is %s', async (_what, over, code, httpStatus) => {
      proxy.loseAnswerTo('record-discoveries', { isLast: true });
      const discovery = searched(over);
      await expect(cut.record(discovery)).rejects.toMatchObject({ code, httpStatus });
      expect((await recorded()).get(discovery.usageEventId)).toBe(1);
    });
  });

  it('turns away what would be too many at once, and records all the others', async () => {
    const discoveries = Array.from({ length: 2_600 }, () => searched({ toolIds: [] }));
    // All are there before the first statement is answered.
    const settled = await Promise.allSettled(discoveries.map((discovery) => recorder.record(discovery)));
    const refused = settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused).toEqual(
      refused.map(() => expect.objectContaining({ code: 'service_unavailable', httpStatus: 503 })),
    );
    const { rows } = await database.pool.query<{ stream_id: string }>(
      'SELECT stream_id FROM events WHERE stream_id = ANY($1)',
      [discoveries.map(({ usageEventId }) => usageEventId)],
    );
    const recordedIds = discoveries
      .filter((_, index) => settled[index]?.status === 'fulfilled')
      .map(({ usageEventId }) => usageEventId);
    expect(rows.map((row) => row.stream_id).sort()).toEqual(recordedIds.sort());
  });
});
