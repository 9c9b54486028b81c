import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newAccountId, systemClock } from '@capability-router/kernel';
import {
  answerAfter,
  free,
  isReplay,
  paid,
  startReplicatedExecution,
  until,
  type ReplicatedExecution,
} from '../test-support/replicated-execution.js';

const parameters = { city: 'Bern' };
/** Milliseconds that the provider takes where others have to meet a running call. */
const SLOW_MS = 500;

let world: ReplicatedExecution;
beforeAll(async () => {
  world = await startReplicatedExecution();
}, 60_000);
afterAll(() => world.stop());
beforeEach(() => {
  world.reset();
});

describe('50 parallel calls with one key over two replicas', () => {
  it.each([
    ['paid', paid(), 1],
    ['free', free(), 0],
  ])('of a %s tool: one provider call and one hold; every answer is the same or 409', async (_kind, body, holds) => {
    world.answer = answerAfter(SLOW_MS);
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 50 }, () => world.send(key, body)));
    const executed = replies.filter(({ status }) => status === 200);
    const ran = executed.filter((reply) => !isReplay(reply));
    expect(ran).toHaveLength(1);
    for (const reply of executed) expect(reply.body).toEqual(ran[0]?.body);
    const running = replies.filter(({ status }) => status === 409);
    expect(executed.length + running.length).toBe(50);
    expect(running.length).toBeGreaterThan(0);
    for (const reply of running) {
      expect(reply.body).toMatchObject({ execution_id: ran[0]?.body['execution_id'] });
      expect(reply.body).not.toHaveProperty('success');
      expect(reply.headers['retry-after']).toBe('1');
    }
    expect({ requests: world.requests, holds: world.first.billing.holds.length }).toEqual({ requests: 1, holds });
    expect(await world.typesOf(ran[0]?.body['execution_id'])).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
  });

  it('leave the events of one execution and nothing else', async () => {
    const before = await world.eventCount();
    const key = randomUUID();
    await Promise.all(Array.from({ length: 50 }, () => world.send(key, free())));
    expect((await world.eventCount()) - before).toBe(2);
    expect(world.requests).toBe(1);
  });
});

describe('a replay', () => {
  it('is the first answer, of any replica, and leaves no event, no hold and no request behind', async () => {
    const key = randomUUID();
    const original = await world.replicas[0].call(paid(), { idempotencyKey: key });
    expect({ status: original.status, replayed: isReplay(original) }).toEqual({ status: 200, replayed: false });
    const before = await world.eventCount();
    for (const replica of world.replicas) {
      const replay = await replica.call(paid(), { idempotencyKey: key });
      expect({ status: replay.status, replayed: isReplay(replay) }).toEqual({ status: 200, replayed: true });
      expect(JSON.stringify(replay.body)).toBe(JSON.stringify(original.body));
    }
    expect(await world.eventCount()).toBe(before);
    expect({ requests: world.requests, holds: world.first.billing.holds.length }).toEqual({ requests: 1, holds: 1 });
  });

  it('answers a call that its provider failed, and does not try again', async () => {
    world.answer = (_request, response) => response.writeHead(500).end();
    const key = randomUUID();
    const original = await world.send(key, paid());
    expect(original.body).toMatchObject({ success: false, cost: 0 });
    world.answer = answerAfter(0);
    expect((await world.send(key, paid())).body).toEqual(original.body);
    expect(world.requests).toBe(1);
  });

  it('answers the same request however it is written, and wherever it comes from', async () => {
    const key = randomUUID();
    const original = await world.send(key, paid({ session_id: 's1', search_id: null }));
    const same = [
      { parameters, tool_id: 'weather.paid.get.v1' },
      paid({ session_id: 's2', search_id: 'srch_2', model: 'm' }),
    ];
    for (const body of same) expect((await world.send(key, body)).body).toEqual(original.body);
    const byQuery = { query: '?tool_id=weather.paid.get.v1', cacheMode: 'bypass' };
    expect((await world.send(key, { parameters }, byQuery)).body).toEqual(original.body);
    expect(world.requests).toBe(1);
  });

  it('needs no credits any more', async () => {
    const key = randomUUID();
    const original = await world.send(key, paid());
    world.first.billing.available = 0n;
    expect((await world.send(key, paid())).body).toEqual(original.body);
  });

  it('is counted, apart from the first request and from those that are refused', async () => {
    const [first] = world.replicas;
    const counts = async () => {
      const { values = [] } = (await first.metrics.getSingleMetric('idempotent_requests_total')?.get()) ?? {};
      return new Map(values.map(({ labels, value }) => [labels['result'], value]));
    };
    const before = await counts();
    const key = randomUUID();
    let release = (): void => undefined;
    world.answer = (request, response) => {
      release = () => answerAfter(0)(request, response);
    };
    const running = first.call(paid(), { idempotencyKey: key });
    await until(() => world.requests === 1);
    await first.call(paid(), { idempotencyKey: key });
    release();
    await running;
    for (const body of [paid(), paid(), paid({ max_credits: 5 })]) await first.call(body, { idempotencyKey: key });
    const after = await counts();
    const grown = Object.fromEntries([...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)]));
    expect(grown).toEqual({ first: 1, still_running: 1, replayed: 2, other_request: 1 });
  });

  it('is of the own account only', async () => {
    const key = randomUUID();
    const original = await world.send(key, paid());
    const other = { ...world.first.account, accountId: newAccountId(systemClock.nowMs()) };
    const theirs = await world.send(key, paid(), { account: other });
    expect(isReplay(theirs)).toBe(false);
    expect(theirs.body['execution_id']).not.toBe(original.body['execution_id']);
    expect((await world.lookUp(key, other)).body).toMatchObject({
      data: { execution_id: theirs.body['execution_id'] },
    });
  });
});
