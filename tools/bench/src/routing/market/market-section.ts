import { judged, table, whole } from '../../report/markdown.js';
import { ATTEMPTS, PROVIDERS } from './market.js';
import { LEARNED_AFTER_MS } from './learned-evidence.js';
import { SEEDS, type FailingResult, type MarketResult } from './measure-market.js';
import { REQUESTS } from './simulate-market.js';

/** The design's allowance: the cost of the router beyond the oracle's, and the share of the requests that it explores with. */
const MAX_EXCESS = 0.05;
const EXPLORATION = 0.05;
/** The design's allowance where one of three providers always fails. */
const MIN_SUCCESS = 0.999;
const MAX_EXTRA_ATTEMPTS = 1;

const percent = (share: number, digits = 2): string => `${(share * 100).toFixed(digits)} %`;

export function marketSection(result: MarketResult, failing: FailingResult, plot: string): string {
  const oracle = result.get('oracle')?.cost ?? Number.NaN;
  const router = result.get('router, prefer price')?.cost ?? Number.NaN;
  const still = result.get('the same, not exploring')?.cost ?? Number.NaN;
  const cheapest = result.get('cheapest first')?.cost ?? Number.NaN;
  const routerServed = result.get('router, prefer price')?.success ?? Number.NaN;
  const cheapestServed = result.get('cheapest first')?.success ?? Number.NaN;
  const rows = [...result].map(([name, { cost, price, success, ms }]) => [
    name,
    cost.toFixed(4),
    percent(cost / oracle, 1),
    price.toFixed(4),
    percent(success),
    whole(ms),
  ]);
  return [
    `A market of ${PROVIDERS} providers whose prices and latencies wander and which fail now and then, half of their calls during outages; ${SEEDS} seeds of ${whole(REQUESTS)} requests each, one a second, which begin knowing nothing. A request is tried with ${ATTEMPTS} providers and pays the one that serves. Its cost is that price, 0.1 credit a second of waiting, and 5 credits where nobody serves. The oracle knows each provider's price, latency and failure rate at every step and tries whichever order is cheapest on average. The router sees prices, and what its own calls taught it: they are counted, faded and let through by the service's own code (half-life, breaker and ramp), ${whole(LEARNED_AFTER_MS)} ms after they ended.`,
    table(['', 'cost a request', 'of the oracle', 'price of a served one', 'served', 'ms'], rows),
    `Bar: ${judged(`\`prefer: price\` within ${MAX_EXCESS * 100} % of the oracle and the ${EXPLORATION * 100} % that explore`, router <= oracle * (1 + MAX_EXCESS + EXPLORATION))}; exploring costs ${percent((router - still) / oracle, 1)} of it. The other preferences buy speed or reliability at a higher price than this market puts on them.`,
    `${cheapest <= router ? 'Cheapest first costs less here' : 'Little more than cheapest first is gained here'}, and serves ${percent(cheapestServed)} against ${percent(routerServed)}. A failed attempt costs nothing but its waiting, and a second one usually serves: where failures are as cheap as that, the price is nearly all there is to choose by.`,
    `![Mean cost of a request, from the first to the last](${plot})`,
    ...failingPart(failing),
  ].join('\n\n');
}

/** `failing`: what became of requests with a provider that always fails. */
function failingPart(failing: FailingResult): string[] {
  const rows = [...failing].map(([name, { success, met, extraMean, extraP95, extraMsP95 }]) => [
    name,
    percent(success),
    percent(met, 1),
    extraMean.toFixed(3),
    extraP95.toString(),
    whole(extraMsP95),
  ]);
  const router = failing.get('router');
  const met = router !== undefined && router.success >= MIN_SUCCESS && router.extraP95 <= MAX_EXTRA_ATTEMPTS;
  return [
    `One of three providers, the cheapest, fails every call from the beginning; the others fail one in a hundred. 20 requests a second for five minutes, ${SEEDS} seeds; all but the first column count from ${whole(LEARNED_AFTER_MS)} ms after the first request. The worst success and percentiles of all seeds, and the median of the others:`,
    table(['', 'served', 'met the failing one', 'extra attempts', 'their p95', 'p95 of the extra ms'], rows),
    `Bar: ${judged(`at least ${percent(MIN_SUCCESS, 1)} served, and at most ${MAX_EXTRA_ATTEMPTS} extra attempt at p95`, met)}.`,
  ];
}
