import { judged, table, whole } from '../../report/markdown.js';
import { ATTEMPTS, PROVIDERS } from './market.js';
import { SEEDS, type MarketResult } from './measure-market.js';
import { REQUESTS } from './simulate-market.js';

/** What the design allows: the cost of the router beyond the oracle's, and the share of the requests that it explores with. */
const MAX_EXCESS = 0.05;
const EXPLORATION = 0.05;

export function marketSection(result: MarketResult, plot: string): string {
  const oracle = result.get('oracle')?.cost ?? Number.NaN;
  const router = result.get('router, prefer price')?.cost ?? Number.NaN;
  const cheapest = result.get('cheapest first')?.cost ?? Number.NaN;
  const rows = [...result].map(([name, { cost, price, success, ms }]) => [
    name,
    cost.toFixed(4),
    `${((cost / oracle) * 100).toFixed(1)} %`,
    price.toFixed(4),
    `${(success * 100).toFixed(2)} %`,
    whole(ms),
  ]);
  return [
    `A market of ${PROVIDERS} providers whose prices and latencies wander and which fail now and then, half of their calls during outages; ${SEEDS} seeds of ${whole(REQUESTS)} requests each, which begin knowing nothing. A request is tried with ${ATTEMPTS} providers and pays the one that serves. Its cost is that price, 0.1 credit a second of waiting, and 5 credits where nobody serves. The oracle knows each provider's price, latency and failure rate at every step and tries whichever order is cheapest on average; the router sees prices, and the last 200 calls of each provider.`,
    table(['', 'cost a request', 'of the oracle', 'price of a served one', 'served', 'ms'], rows),
    `Bar: ${judged(`\`prefer: price\` within ${MAX_EXCESS * 100} % of the oracle and the ${EXPLORATION * 100} % that explore`, router <= oracle * (1 + MAX_EXCESS + EXPLORATION))}. The other preferences buy speed or reliability at a higher price than this market puts on them.`,
    `What falls short: ${cheapest <= router ? 'cheapest first costs less here' : 'little more than cheapest first is gained here'}. A failed attempt costs nothing but its waiting, a second one usually serves, and exploring takes its share: where failures are as cheap as that, the price is nearly all there is to choose by.`,
    `![Mean cost of a request, from the first to the last](${plot})`,
  ].join('\n\n');
}
