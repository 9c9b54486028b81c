import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newExecutionId, systemClock, toIso, type JsonObject } from '@capability-router/kernel';
import { ExecutionJournal } from '../call/journal/execution-journal.js';
import type { Answer } from '../test-support/running-execution.js';
import {
  free,
  isReplay,
  paid,
  startReplicatedExecution,
  until,
  type ReplicatedExecution,
} from '../test-support/replicated-execution.js';
import { sweepIdempotencyKeys } from './key-store.sql.js';

const parameters = { city: 'Bern' };

let world: ReplicatedExecution;
beforeAll(async () => {
  world = await startReplicatedExecution();
}, 60_000);
afterAll(() => world.stop());
beforeEach(() => {
  world.reset();
});

describe('a key', () => {
  it('that was used for another body is refused with 422 and an id that finds its record', async () => {
    const key = randomUUID();
    await world.send(key, paid());
    const others = [
      paid({ parameters: { city: 'Basel' } }),
      paid({ max_response_size: 10 }),
      paid({ respond_with: 'summary' }),
      free(),
    ];
    for (const body of others) {
      const refused = await world.send(key, body);
      expect({ status: refused.status, body: refused.body }).toMatchObject({
        status: 422,
        body: { success: false, details: [{ loc: ['header', 'Idempotency-Key'], type: 'value_error' }] },
      });
      expect(await world.typesOf(refused.body['execution_id'])).toEqual(['ExecutionRefused']);
    }
    expect(world.requests).toBe(1);
  });

  it.each([
    ['that is empty', ''],
    ['with a space', 'a b'],
    ['sent twice', 'first, second'],
    ['of 256 characters', 'k'.repeat(256)],
    ['beyond ASCII', 'schlüssel'],
  ])('%s is refused, naming the header', async (_fault, key) => {
    const refused = await world.send(key, paid());
    expect({ status: refused.status, body: refused.body }).toMatchObject({
      status: 422,
      body: { success: false, details: [{ loc: ['header', 'Idempotency-Key'] }] },
    });
    expect(world.requests).toBe(0);
  });

  it.each([
    ['1 character', '!'],
    ['255 characters', '~'.repeat(255)],
  ])('of %s is taken', async (_length, key) => {
    expect(await world.send(key, paid())).toMatchObject({ status: 200, body: { success: true } });
    expect(isReplay(await world.send(key, paid()))).toBe(true);
  });

  it('is let go by what was refused before dispatch, for any other request', async () => {
    const refusals: [number, () => Promise<Answer>][] = [
      [422, () => world.send(key, paid({ parameters: {} }))],
      [422, () => world.send(key, paid({ tool_id: 'weather.none.get.v1' }))],
      [422, () => world.send(key, { parameters })],
      [
        402,
        () => {
          world.first.billing.available = 0n;
          return world.send(key, paid());
        },
      ],
    ];
    let key = '';
    for (const [status, refuse] of refusals) {
      key = randomUUID();
      expect((await refuse()).status).toBe(status);
      expect((await world.lookUp(key)).status).toBe(404);
      world.first.billing.available = 10_000_000n;
      const run = await world.send(key, paid({ max_response_size: 100 }));
      expect({ status: run.status, replayed: isReplay(run), body: run.body }).toMatchObject({
        status: 200,
        replayed: false,
        body: { success: true },
      });
    }
    expect(world.requests).toBe(refusals.length);
  });

  it('is not said to be in use where its call came too late to start: nothing runs, and the key is free', async () => {
    const key = randomUUID();
    const before = await world.eventCount();
    const late = await world.send(key, paid(), { executionId: newExecutionId(systemClock.nowMs() - 61_000) });
    expect({ status: late.status, body: late.body }).toMatchObject({
      status: 503,
      body: { code: 'not_dispatched', message: expect.stringMatching(/too late.*not run/) },
    });
    expect(late.headers['retry-after']).toBeDefined();
    expect([(await world.eventCount()) - before, world.requests, world.first.billing.holds]).toEqual([0, 0, []]);
    expect(await world.send(key, paid())).toMatchObject({ status: 200, body: { success: true } });
  });

  it('is free again when its time is over, swept or not; then its answer is gone too', async () => {
    const [old, swept] = [randomUUID(), randomUUID()];
    const original = await world.send(old, paid());
    await world.send(swept, paid());
    const expire = async (table: string) =>
      world.first.database.pool.query(`UPDATE ${table} SET expires_at = now() - interval '1 second'`);
    await expire('idempotency_keys');
    expect((await world.lookUp(old)).status).toBe(404);
    const again = await world.send(old, paid({ parameters: { city: 'Basel' } }));
    expect(isReplay(again)).toBe(false);
    expect(again.body['execution_id']).not.toBe(original.body['execution_id']);
    await expire('idempotent_answers');
    expect(await sweepIdempotencyKeys(world.first.database.pool)).toBeGreaterThan(0);
    const left = await world.first.database.pool.query('SELECT key FROM idempotency_keys');
    expect(left.rows).toEqual([{ key: old }]);
    expect((await world.first.database.pool.query('SELECT 1 FROM idempotent_answers')).rowCount).toBe(0);
    // The key outlives an answer that is lost: its call is still never repeated.
    expect(await world.send(old, paid({ parameters: { city: 'Basel' } }))).toMatchObject({
      status: 200,
      body: { success: true, cost: 0.25, execution_id: again.body['execution_id'] },
    });
    expect((await world.lookUp(old)).body).toMatchObject({ data: { status: 'unavailable' } });
  });
});

describe('the look-up by key', () => {
  it('says pending while the call runs, then completed with the answer', async () => {
    let release = (): void => undefined;
    world.answer = (_request, response) => {
      release = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"degrees":3}');
    };
    const key = randomUUID();
    const running = world.send(key, paid());
    await until(() => world.requests === 1);
    const pending = await world.lookUp(key);
    expect(pending.body).toMatchObject({ status: 'success', data: { status: 'pending' } });
    expect(pending.body['data']).not.toHaveProperty('response');
    expect((await world.send(key, paid())).status).toBe(409);
    release();
    const { body } = await running;
    expect((await world.lookUp(key)).body['data']).toMatchObject({
      status: 'completed',
      execution_id: body['execution_id'],
      response: body,
    });
  });

  it.each(['?key=', '', '?key=a%20b', '?key=a&key=b'])('%j is refused with 422', async (query) => {
    const reply = await world.first.read(`/api/v1/tools/executions/by-idempotency-key${query}`);
    expect({ status: reply.status, body: reply.body }).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('key: '), detail: [{ loc: ['query', 'key'] }] },
    });
  });

  it('does not know what was never sent', async () => {
    expect((await world.lookUp(randomUUID())).status).toBe(404);
  });
});

describe('a key whose replica died', () => {
  it('says pending, then unavailable; it answers the interrupted execution and never calls the provider', async () => {
    const journal = new ExecutionJournal(world.first.database.pool, systemClock);
    const key = randomUUID();
    const nowMs = systemClock.nowMs();
    const { accountId } = world.first.account;
    const original = await world.send(randomUUID(), paid());
    const executionId = newExecutionId(nowMs);
    const dyingOwner = randomUUID();
    const [started] = (
      await world.first.database.pool.query<{ data: JsonObject }>(
        'SELECT data FROM events WHERE stream_id = $1 AND sequence = 1',
        [original.body['execution_id']],
      )
    ).rows;
    const sql = 'SELECT fingerprint FROM idempotency_keys WHERE execution_id = $1';
    const { rows } = await world.first.database.pool.query<{ fingerprint: string }>(sql, [
      original.body['execution_id'],
    ]);
    const fingerprint = rows[0]?.fingerprint ?? '';
    world.requests = 0;
    // It dies when the test says so, and not with the next sweep.
    const lease = (until: string) =>
      world.first.database.pool.query(
        `INSERT INTO execution_owners (owner_id, lease_until) VALUES ($1, $2)
           ON CONFLICT (owner_id) DO UPDATE SET lease_until = excluded.lease_until`,
        [dyingOwner, until],
      );
    await lease('infinity');
    await journal.start(
      { ...(started?.data as unknown as Parameters<typeof journal.start>[0]), executionId, startedAt: toIso(nowMs) },
      dyingOwner,
      60_000,
      { claim: { accountId, route: 'tools/execute', key, fingerprint, lifetimeMs: 60_000 } },
    );
    expect((await world.lookUp(key)).body).toMatchObject({ data: { status: 'pending', execution_id: executionId } });
    expect((await world.send(key, paid())).status).toBe(409);
    await lease('-infinity');
    await until(
      async () =>
        (await world.lookUp(key)).body['data'] !== undefined && (await world.typesOf(executionId)).length === 2,
    );
    const replay = await world.send(key, paid());
    expect({ status: replay.status, replayed: isReplay(replay), body: replay.body }).toMatchObject({
      status: 200,
      replayed: true,
      body: {
        execution_id: executionId,
        success: false,
        cost: 0,
        execution_outcome: { outcome: 'interrupted', reason_code: 'transport.execution_failed' },
      },
    });
    expect((await world.lookUp(key)).body['data']).toMatchObject({
      status: 'unavailable',
      execution_id: executionId,
      execution_state: 'interrupted',
      provider_request_dispatched: true,
      retry_disposition: 'terminal',
      response: replay.body,
      result_unavailable_reason: 'interrupted',
    });
    expect(world.requests).toBe(0);
  });
});

// The last one: it takes billing away.
describe('with billing gone', () => {
  it('a paid call is answered 503 and lets its key go; a free one keeps it', async () => {
    await world.first.billing.close();
    const key = randomUUID();
    expect((await world.send(key, paid())).status).toBe(503);
    await until(async () => (await world.lookUp(key)).status === 404);
    const run = await world.send(key, free());
    expect({ status: run.status, replayed: isReplay(run) }).toEqual({ status: 200, replayed: false });
    expect(isReplay(await world.send(key, free()))).toBe(true);
    expect(world.requests).toBe(1);
  });
});
