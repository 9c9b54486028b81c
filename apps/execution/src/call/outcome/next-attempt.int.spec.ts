import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@capability-router/kernel';
import { unsent, type ProviderAnswer } from '@capability-router/provider-kit';
import {
  charged,
  cheap,
  dear,
  empty,
  ofStatus,
  served,
  startPlannedAttempts,
  unheard,
  type PlannedAttempts,
} from '../../test-support/planned-attempts.js';
import { until } from '../../test-support/replicated-execution.js';
import { MAX_RESULT_LEVELS } from '../dispatch/bounded-answer.js';

let world: PlannedAttempts;
beforeAll(async () => {
  world = await startPlannedAttempts();
});
afterAll(() => world.pipeline.close());
beforeEach(() => world.reset());

const answered = (data: JsonValue): ProviderAnswer => ({ kind: 'answered', data });
const unreadable: ProviderAnswer = { kind: 'failed', fault: 'provider_error', message: '', retryable: false };
let nested: JsonValue = 1;
for (let level = 0; level <= MAX_RESULT_LEVELS; level += 1) nested = [nested];
/** The conditions that a result has to meet to serve. */
const result = {
  mapping: { degrees: { from: '$.degrees' } },
  fields: { degrees: { type: 'number', required: true } },
} as const;
const optional = { ...result, fields: { degrees: { type: 'number', required: false } } } as const;

describe('after an attempt whose provider may have done what it was asked for', () => {
  it.each<[string, ProviderAnswer, typeof result | typeof optional]>([
    ['was not heard', unheard, result],
    ['answered 500', ofStatus(500), result],
    ['is answered for by a gateway', ofStatus(504), result],
    ['is answered for by a proxy with a status of its own', ofStatus(524), result],
    ['answered that its time was up', ofStatus(408), result],
    ['answered that it conflicts, it may be with what it did before', ofStatus(409), result],
    ['says that the client had left', ofStatus(499), result],
    ['answered with a redirect', ofStatus(303), result],
    ['answered with nothing', empty, result],
    ['answered with something unreadable', unreadable, result],
    ['answered with more levels than anybody reads', answered(nested), result],
    ['answered in another shape than the contract', answered({ degrees: 'warm' }), result],
    ['answered with nothing that the contract has', answered({ later: 1 }), optional],
  ])('the next one begins only where the plan is repeatable: it %s', async (_what, first, wanted) => {
    const once = await world.run(
      [
        [dear, first],
        [cheap, served],
      ],
      { result: wanted },
    );
    expect([world.asked, once.body['success'], charged(once.end)]).toEqual([[dear.toolId], false, '0']);
    world.asked = [];
    const again = await world.run(
      [
        [dear, first],
        [cheap, served],
      ],
      { result: wanted, repeatable: true },
    );
    expect([world.asked, again.body['success']]).toEqual([[dear.toolId, cheap.toolId], true]);
  });
});

describe('after an attempt that its provider refused', () => {
  it.each<[string, ProviderAnswer]>([
    ...[400, 401, 403, 404, 422, 429].map((status): [string, ProviderAnswer] => [`with ${status}`, ofStatus(status)]),
    ['for what the caller asked', { ...unreadable, callerFault: true }],
  ])('%s, the next one begins in any plan', async (_how, first) => {
    const { body } = await world.run(
      [
        [dear, first],
        [cheap, served],
      ],
      { result },
    );
    expect([world.asked, body['success']]).toEqual([[dear.toolId, cheap.toolId], true]);
  });
});

describe('after an attempt of which nothing was sent', () => {
  it('the next one begins in any plan', async () => {
    const { body, end } = await world.run([
      [dear, unsent(unheard)],
      [cheap, served],
    ]);
    expect([world.asked, body['success'], end['toolId']]).toEqual([[dear.toolId, cheap.toolId], true, cheap.toolId]);
  });

  it('the plan ends with what its adapter says of the last one where that is all', async () => {
    const { types, body } = await world.run([
      [dear, unsent(unheard)],
      [cheap, unsent(unheard)],
    ]);
    expect(types).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
    expect(body).toMatchObject({ success: false, execution_outcome: { reason_code: 'transport.no_response' } });
  });
});

describe('where the execution was ended elsewhere meanwhile', () => {
  const two = (first: ProviderAnswer) => [[dear, first] as const, [cheap, served] as const] as const;

  it('no other attempt begins in a plan that is not repeatable', async () => {
    const { owner } = world.pipeline.database;
    // The sweep of another replica does this with the row.
    world.beforeAnswer = (_toolId, executionId) =>
      owner.query('DELETE FROM running_executions WHERE execution_id = $1', [executionId]);
    await world.run(two(ofStatus(422)));
    expect(world.asked).toEqual([dear.toolId]);
  });

  it('no other attempt begins in a plan that is not repeatable where the record cannot be read', async () => {
    const { owner } = world.pipeline.database;
    world.beforeAnswer = () => owner.query('ALTER TABLE running_executions RENAME TO away');
    const running = world.run(two(ofStatus(422)));
    await until(() => world.reached.includes('after-provider-call'));
    await delay(500);
    await owner.query('ALTER TABLE away RENAME TO running_executions');
    await running;
    expect(world.asked).toEqual([dear.toolId]);
  });

  it('no other attempt begins in any plan once the lease has lapsed', async () => {
    world.beforeAnswer = () => world.pipeline.lease.stop();
    await world.run(two(unheard), { repeatable: true });
    expect(world.asked).toEqual([dear.toolId]);
    world.beforeAnswer = () => Promise.resolve();
    world.asked = [];
    await world.pipeline.lease.start();
    await world.run(two(unheard), { repeatable: true });
    expect(world.asked).toEqual([dear.toolId, cheap.toolId]);
  });
});
