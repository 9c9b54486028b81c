import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  charged,
  cheap,
  dear,
  empty,
  gratis,
  notSent,
  refused,
  served,
  startPlannedAttempts,
  unheard,
  type PlannedAttempts,
} from '../test-support/planned-attempts.js';
import { until } from '../test-support/replicated-execution.js';

let world: PlannedAttempts;
beforeAll(async () => {
  world = await startPlannedAttempts();
});
afterAll(() => world.pipeline.close());
beforeEach(() => world.reset());

const holds = () => world.pipeline.billing.holds.map(({ amountMicroCredits }) => amountMicroCredits);

describe('a plan of two attempts', () => {
  it('ends with the second where the first fails: one hold of the larger bound, one end, one charge', async () => {
    const { body, types, end } = await world.run([
      [dear, refused],
      [cheap, served],
    ]);
    expect(world.asked).toEqual([dear.toolId, cheap.toolId]);
    expect(types).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
    expect(holds()).toEqual(['300000']);
    expect([charged(end), end['toolId'], end['holdMicroCredits']]).toEqual(['100000', cheap.toolId, '300000']);
    expect(body).toMatchObject({ success: true, cost: 0.1, remaining_credits: 9.9, result: { data: { degrees: 21 } } });
    expect(world.pipeline.billing.released).toEqual([]);
    expect(world.reached).toEqual([
      'after-start',
      'after-hold',
      'after-provider-call',
      'after-provider-call',
      'after-commit',
    ]);
  });

  it('holds for an attempt that costs more than the one before it', async () => {
    const { body, end } = await world.run([
      [gratis, refused],
      [dear, served],
    ]);
    expect([holds(), charged(end)]).toEqual([['300000'], '300000']);
    expect(body).toMatchObject({ cost: 0.3, remaining_credits: 9.7 });
  });

  it('ends with the first where that serves: the second is not asked', async () => {
    const { end } = await world.run([
      [cheap, served],
      [dear, served],
    ]);
    expect([world.asked, charged(end)]).toEqual([[cheap.toolId], '100000']);
  });

  it('goes on where the first was not sent', async () => {
    const { types, end } = await world.run([
      [dear, notSent],
      [cheap, served],
    ]);
    expect([types.at(-1), charged(end)]).toEqual(['ExecutionCompleted', '100000']);
  });

  it('stops where nobody knows what the first did, so that nothing is sent twice', async () => {
    const { executionId, body, types, end } = await world.run([
      [dear, unheard],
      [cheap, served],
    ]);
    expect([world.asked, types.at(-1), charged(end)]).toEqual([[dear.toolId], 'ExecutionCompleted', '0']);
    expect(body).toMatchObject({ success: false, execution_outcome: { reason_code: 'transport.no_response' } });
    await until(() => world.pipeline.billing.released.length > 0);
    expect(world.pipeline.billing.released).toEqual([executionId]);
  });

  it('goes on where nobody knows what the first did, and the plan says that it may', async () => {
    const { end } = await world.run(
      [
        [dear, unheard],
        [cheap, served],
      ],
      { repeatable: true },
    );
    expect([world.asked, charged(end)]).toEqual([[dear.toolId, cheap.toolId], '100000']);
  });

  it('stops at its deadline: no attempt begins after it', async () => {
    // The hold and the start, which a machine that is busy takes long for, are to come before it.
    world.beforeAnswer = () => delay(3_200);
    const { types, end } = await world.run(
      [
        [dear, refused],
        [cheap, served],
      ],
      { deadlineMs: 3_000 },
    );
    expect([world.asked, types.length, end['toolId']]).toEqual([[dear.toolId], 2, dear.toolId]);
  });

  it('charges nothing where both fail, and gives back what was held once', async () => {
    const { executionId, types, end } = await world.run(
      [
        [dear, empty],
        [cheap, refused],
      ],
      { repeatable: true },
    );
    expect([types, charged(end)]).toEqual([['ExecutionStarted', 'ExecutionCompleted'], '0']);
    expect(end).toMatchObject({ toolId: cheap.toolId, outcome: { reasonCode: 'provider.http_error' } });
    await until(() => world.pipeline.billing.released.length > 0);
    expect(world.pipeline.billing.released).toEqual([executionId]);
  });

  it('is not told as never sent where the first was sent and the second was not', async () => {
    const { types, end } = await world.run([
      [dear, refused],
      [cheap, notSent],
    ]);
    expect([types.at(-1), end['toolId']]).toEqual(['ExecutionCompleted', dear.toolId]);
  });

  it('names the attempt that ran where our own fault met the second', async () => {
    world.breaksAt = 4;
    const { body, types, end } = await world.run([
      [dear, refused],
      [cheap, served],
    ]);
    expect([types.at(-1), end['toolId'], charged(end)]).toEqual(['ExecutionInterrupted', cheap.toolId, '0']);
    expect(body).toMatchObject({ success: false, execution_outcome: { reason_code: 'transport.no_response' } });
  });

  it('runs what the account can pay for, and holds no more than that', async () => {
    world.pipeline.billing.available = 200_000n;
    const { body, end } = await world.run([
      [dear, served],
      [cheap, served],
    ]);
    expect([world.asked, holds()]).toEqual([[cheap.toolId], ['100000']]);
    expect([end['toolId'], end['holdMicroCredits'], charged(end)]).toEqual([cheap.toolId, '100000', '100000']);
    expect(body).toMatchObject({ success: true, cost: 0.1, remaining_credits: 0.1 });
  });

  it('is refused where the account can pay for neither, by what the cheaper one costs', async () => {
    world.pipeline.billing.available = 50_000n;
    const { body, types } = await world.run([
      [dear, served],
      [cheap, served],
    ]);
    expect([world.asked, types.at(-1)]).toEqual([[], 'ExecutionRefused']);
    expect(body).toMatchObject({ code: 'insufficient_credits', details: [{ needed_credits: 0.1 }] });
  });

  it('runs what the daily free allowance covers though the balance does not, and charges nothing for it', async () => {
    world.pipeline.billing.available = 0n;
    world.pipeline.billing.allowance = 150_000n;
    const { body, end } = await world.run([
      [dear, served],
      [cheap, served],
    ]);
    expect([world.asked, holds(), end['holdMicroCredits']]).toEqual([[cheap.toolId], ['100000'], '100000']);
    expect(body).toMatchObject({ success: true, cost: 0, remaining_credits: 0 });
  });

  it('runs what the budgets of the credential admit, and names those alone that do not admit the cheapest', async () => {
    const key = { scope: 'key', limitMicroCredits: '500000', availableMicroCredits: '200000' } as const;
    const session = { scope: 'session', limitMicroCredits: '500000', availableMicroCredits: '50000' } as const;
    const both: Parameters<typeof world.run>[0] = [
      [dear, served],
      [cheap, served],
    ];
    world.pipeline.billing.budgets = [key];
    await world.run(both);
    expect([world.asked, holds()]).toEqual([[cheap.toolId], ['100000']]);
    world.pipeline.billing.budgets = [session, key];
    const { body } = await world.run(both);
    expect(body).toMatchObject({ code: 'budget_exceeded', details: [{ scope: 'session', needed_credits: 0.1 }] });
    expect(body['details']).toHaveLength(1);
  });

  it('begins no attempt that would not have the time that it needs', async () => {
    world.beforeAnswer = () => delay(1_000);
    const { end } = await world.run(
      [
        [dear, refused],
        [cheap, served],
      ],
      { deadlineMs: 3_000, expectedMs: [undefined, 2_500] },
    );
    expect([world.asked, end['toolId']]).toEqual([[dear.toolId], dear.toolId]);
  });

  it('is refused where neither was sent', async () => {
    const { executionId, types, end, body } = await world.run([
      [dear, notSent],
      [cheap, notSent],
    ]);
    expect([types.at(-1), end['toolId']]).toEqual(['ExecutionRefused', cheap.toolId]);
    expect(body).toMatchObject({ success: false, execution_outcome: { reason_code: 'tool_unavailable' } });
    await until(() => world.pipeline.billing.released.length > 0);
    expect(world.pipeline.billing.released).toEqual([executionId]);
  });
});
