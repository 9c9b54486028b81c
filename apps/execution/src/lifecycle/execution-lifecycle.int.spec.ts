/** @postgres-versions Timeouts of locks, and texts that jsonb cannot hold, are errors of the server. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccountId, newExecutionId, systemClock, toIso, uuidv7, type ExecutionId } from '@capability-router/kernel';
import { createLogger } from '@capability-router/service-kit';
import type { ExecutionStarted, ForestalledHold } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { classifyAnswer } from '../call/outcome/domain/classify-outcome.js';
import { completedEnd } from '../call/answer/domain/completed-end.js';
import { interruptedEnd } from '../call/journal/domain/ends.js';
import { ExecutionJournal } from '../call/journal/execution-journal.js';
import { notCharged } from '@capability-router/tool-calls';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { toolContract } from '../test-support/tool-contract.js';
import { endStatesOf } from './end-states.js';
import { interruptLapsed } from './interrupt-lapsed.js';
import { OwnerLease } from '../call/journal/owner-lease.js';

const accountId = newAccountId(systemClock.nowMs());
const logger = createLogger('execution', 'silent');
let database: ScratchDatabase;
let journal: ExecutionJournal;
beforeAll(async () => {
  database = await createScratchDatabase();
  journal = new ExecutionJournal(database.pool, systemClock);
});
afterAll(() => database.drop());

function startedFacts(executionId: ExecutionId): ExecutionStarted {
  const nowMs = systemClock.nowMs();
  return {
    executionId,
    accountId,
    eventType: 'tool_execute',
    credentialType: 'api_key',
    toolId: 'demo.weather.now.v1',
    holdMicroCredits: '250000',
    startedAt: toIso(nowMs),
    deadlineAt: toIso(nowMs + 2_000),
  };
}
function completionOf(started: ExecutionStarted) {
  const { startedAt: _startedAt, deadlineAt: _deadlineAt, ...facts } = started;
  const nowMs = systemClock.nowMs();
  const classified = classifyAnswer({ kind: 'answered', data: 1 }, toolContract().price);
  return completedEnd(facts, classified, notCharged.bill, Buffer.from('1'), nowMs, nowMs);
}
function interruptionOf(started: ExecutionStarted) {
  return interruptedEnd(started, systemClock.nowMs(), systemClock.nowMs());
}
async function start(ownerId: string, deadlineMs = 2_000) {
  const started = startedFacts(newExecutionId(systemClock.nowMs()));
  expect(await journal.start(started, ownerId, deadlineMs)).toBe(true);
  return started;
}
const forestalled: ForestalledHold[] = [];
const holdReleases = { forestall: (hold: ForestalledHold) => Promise.resolve(void forestalled.push(hold)) };
const interrupt = () => interruptLapsed({ pool: database.pool, journal, holdReleases, clock: systemClock });
const eventId = () => uuidv7(systemClock.nowMs());
const typesOf = async (executionId: string) =>
  (await readStream(database.pool, executionId)).map((event) => `${event.sequence} ${event.type}`);
const runningCount = async () =>
  (await database.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM running_executions')).rows[0]
    ?.count;

describe('the life of an execution', () => {
  it('has exactly one end when completions and interruptions race', async () => {
    for (let round = 0; round < 25; round += 1) {
      const started = await start('owner');
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          journal.end(index % 2 === 0 ? completionOf(started) : interruptionOf(started), eventId(), { request: '{}' }),
        ),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      const events = await readStream(database.pool, started.executionId);
      expect(events.map((event) => event.sequence)).toEqual([1, 2]);
    }
    expect(await runningCount()).toBe(0);
  });

  it('has exactly one end when two replicas write many ends at once, in different orders', async () => {
    const other = new ExecutionJournal(database.pool, systemClock);
    const started = await Promise.all(Array.from({ length: 200 }, () => start('owner')));
    const completed = started.map((facts) => journal.end(completionOf(facts), eventId(), { request: '{}' }));
    const interrupted = [...started].reverse().map((facts) => other.end(interruptionOf(facts), eventId()));
    const won = (await Promise.all([...completed, ...interrupted])).filter(Boolean);
    expect(won).toHaveLength(started.length);
    for (const { executionId } of started.slice(0, 20)) expect(await typesOf(executionId)).toHaveLength(2);
    expect(await runningCount()).toBe(0);
  });

  it('is written although another of its group cannot be', async () => {
    const started = await Promise.all([start('owner'), start('owner'), start('owner')]);
    const ends = started.map((facts, index) =>
      journal.end(completionOf(facts), eventId(), { request: index === 1 ? '{broken' : '{}' }),
    );
    expect((await Promise.allSettled(ends)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    const stillRunning = started.filter((_facts, index) => index === 1).map(interruptionOf);
    expect(await Promise.all(stillRunning.map((end) => journal.end(end, eventId())))).toEqual([true]);
  });

  it('is written although another of its group waits for a lock', async () => {
    const pool = new pg.Pool({ connectionString: database.url, lock_timeout: 200 });
    const hasty = new ExecutionJournal(pool, systemClock);
    const started = await Promise.all(Array.from({ length: 40 }, () => start('owner')));
    const [locked] = started;
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(
        `INSERT INTO events (tx_order, event_id, stream_id, sequence, type, source, topic, partition_key, data, meta, recorded_at)
         SELECT tx_order, gen_random_uuid(), stream_id, 2, 'ExecutionInterrupted', source, topic, partition_key, data, meta, now()
           FROM events WHERE stream_id = $1`,
        [locked?.executionId],
      );
      const ends = await Promise.allSettled(
        started.map((facts) => hasty.end(completionOf(facts), eventId(), { request: '{}' })),
      );
      expect(ends.map(({ status }) => status)).toEqual(['rejected', ...Array(started.length - 1).fill('fulfilled')]);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await Promise.all(started.slice(0, 1).map((facts) => hasty.end(completionOf(facts), eventId())))).toEqual([
      true,
    ]);
    await pool.end();
  });

  it('takes a repeated end with the same id as the one that it is', async () => {
    const started = await start('owner');
    const id = eventId();
    const end = completionOf(started);
    expect(await journal.end(end, id)).toBe(true);
    expect(await journal.end(end, id)).toBe(true);
    expect(await journal.end(end, eventId())).toBe(false);
    expect(await typesOf(started.executionId)).toEqual(['1 ExecutionStarted', '2 ExecutionCompleted']);
  });

  it('starts once', async () => {
    const started = await start('owner');
    expect(await journal.start(started, 'other', 2_000)).toBe(false);
    await journal.end(completionOf(started), eventId());
  });

  it('is interrupted when the lease of its owner lapsed, and not while it is renewed', async () => {
    const living = new OwnerLease(database.pool, systemClock, logger, { leaseMs: 600_000 });
    const dead = new OwnerLease(database.pool, systemClock, logger, { leaseMs: 1 });
    await living.renew();
    await dead.renew();
    const kept = await start(living.ownerId);
    const lost = await start(dead.ownerId);
    const orphan = await start('an owner that never had a lease');
    await Promise.all([1, 2, 3].map(() => interrupt()));
    expect(await typesOf(kept.executionId)).toEqual(['1 ExecutionStarted']);
    for (const { executionId } of [lost, orphan]) {
      expect(await typesOf(executionId)).toEqual(['1 ExecutionStarted', '2 ExecutionInterrupted']);
    }
    // By the sweep that ended it, and by no other.
    const holdOf = (executionId: string) => forestalled.filter(({ billableId }) => billableId === executionId);
    for (const { executionId } of [lost, orphan]) {
      expect(holdOf(executionId)).toEqual([{ billableId: executionId, accountId, amountMicroCredits: '250000' }]);
    }
    expect(holdOf(kept.executionId)).toEqual([]);
    const interrupted = await journal.last(lost.executionId);
    expect(interrupted?.data).toMatchObject({
      accountId,
      success: false,
      toolId: 'demo.weather.now.v1',
      holdMicroCredits: '250000',
      outcome: { outcome: 'interrupted', reasonCode: 'transport.execution_failed', billableSuccess: false },
      bill: { listAmountMicroCredits: '0' },
    });
    expect(interrupted?.data).not.toHaveProperty('deadlineAt');
    expect(await journal.end(completionOf(lost), eventId())).toBe(false);
    expect(await journal.end(completionOf(kept), eventId())).toBe(true);
    await living.stop();
  });

  it('is interrupted 5 s after its deadline although its owner lives', async () => {
    const lease = new OwnerLease(database.pool, systemClock, logger, { leaseMs: 600_000 });
    await lease.renew();
    const overdue = await start(lease.ownerId, -5_001);
    const inGrace = await start(lease.ownerId, -1);
    expect(await interrupt()).toBe(1);
    expect(await typesOf(overdue.executionId)).toContain('2 ExecutionInterrupted');
    expect(await typesOf(inGrace.executionId)).toEqual(['1 ExecutionStarted']);
    await journal.end(completionOf(inGrace), eventId());
    await lease.stop();
  });

  it('that nobody knows is ended by the question, and can never start afterwards', async () => {
    const unknown = newExecutionId(systemClock.nowMs());
    const running = await start('owner');
    const completed = await start('owner');
    await journal.end(completionOf(completed), eventId());
    const ids = [unknown, running.executionId, completed.executionId];
    const ask = () =>
      endStatesOf(database.pool, journal, systemClock, {
        executions: ids.map((executionId) => ({ executionId, accountId })),
      });
    const expected = {
      [unknown]: 'interrupted',
      [running.executionId]: 'running',
      [completed.executionId]: 'completed',
    };
    const answers = await Promise.all([ask(), ask(), ask()]);
    for (const answer of answers) expect(answer.endStates).toEqual(expected);
    expect(await typesOf(unknown)).toEqual(['1 ExecutionInterrupted']);
    expect(await journal.start(startedFacts(unknown), 'owner', 2_000)).toBe(false);
  });

  it('keeps caller texts that jsonb cannot hold', async () => {
    const started = { ...startedFacts(newExecutionId(systemClock.nowMs())), model: 'a\u0000b\ud800c' };
    expect(await journal.start(started, 'owner', 2_000)).toBe(true);
    const request = JSON.stringify({ parameters: { text: 'a\u0000b\ud800' } });
    expect(await journal.end(completionOf(started), eventId(), { request })).toBe(true);
    expect((await journal.last(started.executionId))?.data).toMatchObject({ model: 'a\uFFFDb\uFFFDc' });
  });
});
