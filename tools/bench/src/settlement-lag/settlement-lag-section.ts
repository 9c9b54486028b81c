import { judged, ms, table, whole } from '../report/markdown.js';
import type { LagResult } from './measure-settlement-lag.js';

/** The bar of the design's issue. */
const MOST_P99_MS = 500;
/** Share of the wanted rate below which the bar was not put to the test. */
const HELD_RATE = 0.98;

export function settlementLagSection({ rows, accounts, seconds }: LagResult): string {
  const last = rows.at(-1);
  const held = (last?.perSecond ?? 0) >= HELD_RATE * (last?.wantedPerSecond ?? 0);
  return [
    `One process of each service. Ends of paid calls of ${whole(accounts)} accounts are recorded in execution's event store at a steady rate for ${whole(seconds)} s, as execution records them but without its HTTP requests and providers, found there by its relay, published to Kafka and settled by billing, which also keeps its audit meanwhile. The lag of a call runs from before its end is written until its settlement is seen committed, by looking every 10 ms. The baseline is a tenth of the rate. Afterwards the invariants of the books held.`,
    table(
      ['Ends /s wanted', 'Ends /s', 'p50 ms', 'p99 ms', 'most ms'],
      rows.map((row) => [
        whole(row.wantedPerSecond),
        whole(row.perSecond),
        ms(row.p50Ms),
        ms(row.p99Ms),
        ms(row.mostMs),
      ]),
    ),
    `Bar: ${judged(`at most ${whole(MOST_P99_MS)} ms at p99 with ${whole(last?.wantedPerSecond ?? 0)} calls/s`, held && (last?.p99Ms ?? Infinity) <= MOST_P99_MS)}.`,
  ].join('\n\n');
}
