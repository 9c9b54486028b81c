import { describe, expect, it } from '@jest/globals';
import { HedgeAllowance, MAX_SAVED_HEDGES } from './hedge-allowance.js';

const PLANS = 1_000;

/** Hedges of so many plans, each of which would take one. */
const takenOf = (allowance: HedgeAllowance, plans = PLANS): number =>
  Array.from({ length: plans }, () => allowance.admitPlan() && allowance.take()).filter(Boolean).length;

describe('how many plans may be hedged', () => {
  it.each([
    [0, 0],
    [0.01, 10],
    [0.05, 50],
    [0.3, 300],
    [1, PLANS],
  ])('is a share of %d: %d of a thousand', (share, hedges) => {
    expect(takenOf(new HedgeAllowance(share))).toBe(hedges);
  });

  it('is little more after a long time in which none was', () => {
    const allowance = new HedgeAllowance(0.05);
    for (let plan = 0; plan < PLANS; plan += 1) allowance.admitPlan();
    expect(takenOf(allowance, 20)).toBe(MAX_SAVED_HEDGES);
  });

  it('is as many as were to spare, when plans that run at once want them', () => {
    const allowance = new HedgeAllowance(0.5);
    for (let plan = 0; plan < 4; plan += 1) allowance.admitPlan();
    expect([allowance.take(), allowance.take(), allowance.take()]).toEqual([true, true, false]);
  });
});
