import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExecutionStarted } from '@capability-router/contracts';
import { newAccountId, newExecutionId, systemClock, toIso, uuidv7 } from '@capability-router/kernel';
import { notCharged } from '@capability-router/tool-calls';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { classifyAnswer } from '../outcome/domain/classify-outcome.js';
import { completedEnd } from '../answer/domain/completed-end.js';
import type { Payloads } from './domain/execution-end.js';
import { ExecutionJournal } from './execution-journal.js';
import { ExecutionMetrics } from './execution-metrics.js';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { toolContract } from '../../test-support/tool-contract.js';
import type { KeyClaim } from '../request/domain/key-claim.js';

const accountId = newAccountId(systemClock.nowMs());
const lifetimeMs = 60_000;
let database: ScratchDatabase;
/** The statements that each replica sends to the database. */
const statements: string[] = [];
let replicas: readonly [ExecutionJournal, ExecutionJournal];

beforeAll(async () => {
  database = await createScratchDatabase();
  const counted = new Proxy(database.pool, {
    get: (pool, name) =>
      name === 'query'
        ? (query: pg.QueryConfig | string, values?: unknown[]) => {
            statements.push(typeof query === 'string' ? query : query.text);
            return pool.query(query as string, values);
          }
        : (Reflect.get(pool, name) as unknown),
  });
  replicas = [new ExecutionJournal(counted, systemClock), new ExecutionJournal(counted, systemClock)];
});
afterAll(() => database.drop());

function newStart(): ExecutionStarted {
  const nowMs = systemClock.nowMs();
  return {
    executionId: newExecutionId(nowMs),
    accountId,
    eventType: 'tool_execute',
    credentialType: 'api_key',
    toolId: 'demo.weather.now.v1',
    holdMicroCredits: '0',
    startedAt: toIso(nowMs),
    deadlineAt: toIso(nowMs + 2_000),
  };
}

const claimOf = (key: string): KeyClaim => ({ accountId, route: 'tools/execute', key, fingerprint: 'f', lifetimeMs });
const start = (journal: ExecutionJournal, started: ExecutionStarted, claim?: KeyClaim) =>
  journal.start(started, 'owner', 2_000, { claim });
const end = (
  journal: ExecutionJournal,
  started: ExecutionStarted,
  payloads: Payloads,
  listAmountMicroCredits = notCharged.bill.listAmountMicroCredits,
) => {
  const { startedAt: _startedAt, deadlineAt: _deadlineAt, ...facts } = started;
  const nowMs = systemClock.nowMs();
  const bill = { ...notCharged.bill, listAmountMicroCredits };
  const classified = classifyAnswer({ kind: 'answered', data: 1 }, toolContract().price);
  const completed = completedEnd(facts, classified, bill, Buffer.from('1'), nowMs, nowMs);
  return journal.end(completed, uuidv7(nowMs), payloads);
};
const ownersOf = async (keys: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await database.pool.query<{ key: string; execution_id: string }>(
    'SELECT key, execution_id FROM idempotency_keys WHERE key = ANY ($1)',
    [keys],
  );
  return new Map(rows.map((row) => [row.key, row.execution_id]));
};
const started = async (ids: readonly string[]): Promise<number> =>
  (await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM events WHERE stream_id = ANY ($1)', [ids]))
    .rows[0]?.n ?? 0;

describe('starts of one group', () => {
  it('that find their key taken do not start, and the others do', async () => {
    const [taken, free] = [randomUUID(), randomUUID()];
    await start(replicas[0], newStart(), claimOf(taken));
    const calls = Array.from({ length: 40 }, (_, index) => ({
      started: newStart(),
      claim: index % 4 === 0 ? claimOf(taken) : index % 4 === 1 ? claimOf(free) : undefined,
    }));
    statements.length = 0;
    const won = await Promise.all(calls.map((call) => start(replicas[0], call.started, call.claim)));
    // One or two go alone, and those that came meanwhile together.
    expect(statements.length).toBeLessThanOrEqual(3);
    const of = (kind: number) => won.filter((_won, index) => index % 4 === kind).filter(Boolean).length;
    expect([of(0), of(1), of(2) + of(3)]).toEqual([0, 1, 20]);
    const lost = calls.filter((_call, index) => !(won[index] ?? false)).map((call) => call.started.executionId);
    expect(await started(lost)).toBe(0);
    const running = 'SELECT 1 FROM running_executions WHERE execution_id = ANY ($1)';
    expect((await database.pool.query(running, [lost])).rowCount).toBe(0);
  });

  it('of two replicas with the same keys in opposite orders: each key starts one execution', async () => {
    const keys = Array.from({ length: 300 }, () => randomUUID());
    const calls = [keys, [...keys].reverse()].map((order) => order.map((key) => ({ key, started: newStart() })));
    const outcomes = await Promise.all(
      calls.flatMap((list, replica) =>
        list.map(async (call) => ({
          ...call,
          won: await start(replicas[replica === 0 ? 0 : 1], call.started, claimOf(call.key)),
        })),
      ),
    );
    const winners = new Map(outcomes.filter(({ won }) => won).map((call) => [call.key, call.started.executionId]));
    expect(winners.size).toBe(keys.length);
    expect(await ownersOf(keys)).toEqual(winners);
    const losers = outcomes.filter(({ won }) => !won).map((call) => call.started.executionId);
    expect(losers).toHaveLength(keys.length);
    expect(await started(losers)).toBe(0);
  });
});

describe('the answer of a key', () => {
  it('is recorded with the end that wins, and with no other', async () => {
    const call = newStart();
    await start(replicas[0], call, claimOf(randomUUID()));
    const answers = ['{"n":1}', '{"n":2}'];
    const won = await Promise.all(
      answers.map((body, index) =>
        end(replicas[index === 0 ? 0 : 1], call, { request: '{}', answer: { body, lifetimeMs } }),
      ),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    const sql = 'SELECT body FROM idempotent_answers WHERE execution_id = $1';
    const { rows } = await database.pool.query<{ body: { n: number } }>(sql, [call.executionId]);
    expect(rows).toEqual([{ body: { n: won.indexOf(true) + 1 } }]);
  });
});

describe('a call', () => {
  it('without a key costs two statements, which know nothing of keys; one with a key costs as many here', async () => {
    const costOf = async (claim: KeyClaim | undefined, payloads: Payloads): Promise<readonly string[]> => {
      statements.length = 0;
      const call = newStart();
      expect(await start(replicas[0], call, claim)).toBe(true);
      expect(await end(replicas[0], call, payloads)).toBe(true);
      return [...statements];
    };
    const plain = await costOf(undefined, { request: '{}' });
    expect(plain).toHaveLength(2);
    expect(plain.filter((text) => text.includes('idempoten'))).toEqual([]);
    expect(await costOf(claimOf(randomUUID()), { request: '{}', answer: { body: '{}', lifetimeMs } })).toHaveLength(2);
  });
});

describe('the end of an execution', () => {
  it('is counted once, with what was billed, by the replica that wrote it', async () => {
    const counted = [new Registry(), new Registry()] as const;
    const [one, other] = counted.map(
      (registry) => new ExecutionJournal(database.pool, systemClock, () => undefined, new ExecutionMetrics(registry)),
    ) as [ExecutionJournal, ExecutionJournal];
    const billed = newStart();
    await start(one, billed);
    await end(one, billed, { request: '{}' }, '1250000');
    expect(await end(other, billed, { request: '{}' }, '1250000')).toBe(false);
    const texts = await Promise.all(counted.map((registry) => registry.metrics()));
    expect(texts[0]).toContain('executions_total{outcome="success",reason="result.valid"} 1');
    expect(texts[0]).toContain('executions_billed_credits_total 1.25');
    expect(texts[1]).not.toContain('executions_total{');
    expect(texts[1]).toContain('executions_billed_credits_total 0');
  });
});
