import { judged, table, whole } from '../report/markdown.js';
import type { WayRow } from './measure-client-cost.js';

/** The bar of the design. */
const MAX_ADDED_MICROSECONDS = 50;

export function clientCostSection(rows: readonly WayRow[]): string {
  const client = rows.at(-1);
  const added = Math.max(client?.addedP50Microseconds ?? Number.NaN, client?.addedCpuMicroseconds ?? Number.NaN);
  return [
    'A Call by the npm package `@capability-router/client` beside the same request by `fetch`: the same headers with an idempotency key of its own, the same body, the answer read as JSON. One request after the other in one process, turn about; the router that answers is another process, without work of its own. The client has its time-out for each attempt, so `fetch` with one stands beside it.',
    table(
      ['Way', 'p50 µs', 'Processor µs a request', 'Added p50 µs', 'Added processor µs'],
      rows.map((row) => [
        row.way,
        whole(row.p50Microseconds),
        whole(row.cpuMicroseconds),
        whole(row.addedP50Microseconds),
        whole(row.addedCpuMicroseconds),
      ]),
    ),
    `Bar: ${judged(`at most ${MAX_ADDED_MICROSECONDS} µs a request beyond plain \`fetch\`, at p50 and of processor time`, added <= MAX_ADDED_MICROSECONDS)}.`,
  ].join('\n\n');
}
