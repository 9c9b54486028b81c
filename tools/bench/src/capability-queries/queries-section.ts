import { judged, microseconds, ms, table } from '../report/markdown.js';
import type { QueryRow } from './measure-queries.js';

/** The bar of the design, with one request at a time. */
const MAX_ADDED_P50_MS = 3;

export function queriesSection(rows: readonly QueryRow[]): string {
  const added = Math.max(...rows.filter(({ connections }) => connections === 1).map(({ addedP50Ms }) => addedP50Ms));
  return [
    'Queries of the capability `geo.distance` beside Calls of the tool that serves them, both fully accounted, in rounds turn about of one run; the same tool, parameters and price. A query adds the decision, which rests on what is in memory, and the hop from capability routing to execution.',
    table(
      ['Connections', 'What', 'p50 ms', 'p99 ms', 'added p50 ms', 'CPU µs a request'],
      rows.map((row) => [
        String(row.connections),
        row.what,
        ms(row.p50Ms),
        ms(row.p99Ms),
        row.what.startsWith('Call') ? '' : ms(row.addedP50Ms),
        microseconds(row.cpuMicroseconds),
      ]),
    ),
    `Bar: a query adds at most ${MAX_ADDED_P50_MS} ms at p50 with one connection: ${judged(`${ms(added)} ms`, added <= MAX_ADDED_P50_MS)}.`,
  ].join('\n\n');
}
