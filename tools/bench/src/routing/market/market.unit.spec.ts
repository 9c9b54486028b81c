import { describe, expect, it } from '@jest/globals';
import { ATTEMPTS, expectedCost, Market } from './market.js';
import { simulateMarket } from './simulate-market.js';
import { strategies, strategyNames } from './strategies.js';
import { Evidence } from './evidence.js';

const REQUESTS = 600;

describe('the simulated market', () => {
  it('is the same again with the same seed, and another with another', () => {
    expect(simulateMarket('router', 3, REQUESTS)).toEqual(simulateMarket('router', 3, REQUESTS));
    expect(simulateMarket('router', 4, REQUESTS)).not.toEqual(simulateMarket('router', 3, REQUESTS));
  });

  it('does not hang on who chooses in it', () => {
    const [one, other] = [new Market(5), new Market(5)];
    for (let request = 0; request < REQUESTS; request += 1) expect(one.next()).toEqual(other.next());
    expect(one.providers).toEqual(other.providers);
    expect(one.providers).not.toEqual(new Market(5).providers);
  });

  it('has an oracle that nobody is expected to beat, at any step', () => {
    const market = new Market(6);
    const evidence = market.providers.map(() => new Evidence());
    for (let request = 1; request <= REQUESTS; request += 1) {
      market.next();
      const costs = strategyNames.map((name) =>
        expectedCost(strategies[name]({ providers: market.providers, evidence, request, seed: 6 }).slice(0, ATTEMPTS)),
      );
      expect(Math.min(...costs)).toBe(costs[strategyNames.indexOf('oracle')]);
    }
  });

  it('charges what it says', () => {
    const provider = { toolId: 'a', credits: 2, ms: 1_000, failures: 0.5, outage: 0 };
    expect(expectedCost([provider])).toBeCloseTo(0.1 + 0.5 * 2 + 0.5 * 5, 12);
    expect(expectedCost([provider, { ...provider, failures: 0, credits: 4 }])).toBeCloseTo(0.1 + 1 + 0.5 * 4.1, 12);
    expect(expectedCost([{ ...provider, failures: 0, outage: 1 }])).toBeCloseTo(0.1 + 0.5 * 2 + 0.5 * 5, 12);
  });
});
