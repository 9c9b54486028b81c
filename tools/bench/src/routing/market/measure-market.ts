import { measureFailingProvider, type FailingRun } from './failing-provider.js';
import { PARTS, simulateMarket, type Run } from './simulate-market.js';
import { strategyNames, type StrategyName } from './strategies.js';

/** As many as the design speaks of. */
export const SEEDS = 30;

export type MarketResult = ReadonlyMap<StrategyName, Run>;

/** Who meets the provider that always fails. */
const failureMet = ['router', 'router, prefer price', 'cheapest first'] as const satisfies readonly StrategyName[];

export type FailingResult = ReadonlyMap<StrategyName, FailingRun>;

export const measureFailing = (): FailingResult =>
  new Map(failureMet.map((name) => [name, measureFailingProvider(name, SEEDS)]));

/** Means over the seeds. */
export function measureMarket(log: (line: string) => void): MarketResult {
  return new Map(
    strategyNames.map((name) => {
      const runs = Array.from({ length: SEEDS }, (_, index) => simulateMarket(name, index + 1));
      const mean = (read: (run: Run) => number): number => runs.reduce((sum, run) => sum + read(run), 0) / SEEDS;
      const run: Run = {
        cost: mean(({ cost }) => cost),
        price: mean(({ price }) => price),
        success: mean(({ success }) => success),
        ms: mean(({ ms }) => ms),
        parts: Array.from({ length: PARTS }, (_, part) => mean(({ parts }) => parts[part] ?? 0)),
      };
      log(`${name}: ${run.cost.toFixed(4)} credits a request`);
      return [name, run];
    }),
  );
}
