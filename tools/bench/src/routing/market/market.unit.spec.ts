import { describe, expect, it } from '@jest/globals';
import { simulateFailingProvider } from './failing-provider.js';
import { ATTEMPTS, expectedCost, Market } from './market.js';
import { simulateMarket } from './simulate-market.js';
import { strategies, strategyNames, type StrategyName } from './strategies.js';
import { LearnedEvidence } from './learned-evidence.js';

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
    const evidence = market.providers.map(() => new LearnedEvidence());
    for (let request = 1; request <= REQUESTS; request += 1) {
      market.next();
      const costs = strategyNames.map((name) =>
        expectedCost(
          strategies[name]({ providers: market.providers, evidence, nowMs: request * 1_000, request, seed: 6 }).slice(
            0,
            ATTEMPTS,
          ),
        ),
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

  it('is played by the router at no more than a tenth above the oracle, whose price is part of that', () => {
    const seeds = [1, 2, 3];
    const costOf = (name: StrategyName): number =>
      seeds.reduce((sum, seed) => sum + simulateMarket(name, seed, REQUESTS).cost, 0);
    const [oracle, router] = [costOf('oracle'), costOf('router, prefer price')];
    expect(router).toBeGreaterThan(oracle);
    expect(router).toBeLessThanOrEqual(oracle * 1.1);
  });
});

describe('a provider that always fails', () => {
  const run = simulateFailingProvider('router', 1, 1_200);

  it('keeps nobody from being served', () => {
    expect(run.success).toBeGreaterThanOrEqual(0.999);
  });

  it('is left alone by the calls that taught it, but for those that look whether it is back', () => {
    expect(run.extraP95).toBeLessThanOrEqual(1);
    expect(run.met).toBeGreaterThan(0);
    expect(run.met).toBeLessThan(0.05);
    expect(simulateFailingProvider('cheapest first', 1, 1_200).met).toBe(1);
  });
});
