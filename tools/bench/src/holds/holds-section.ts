import { judged, ms, table, whole } from '../report/markdown.js';
import type { HoldsResult } from './measure-holds.js';

/** The bars of the design's issue. */
const MIN_ON_ONE_ACCOUNT = 1_500;
const MIN_OVER_MANY = 6_000;

export function holdsSection({ rows, connections, settled }: HoldsResult): string {
  const [one, many] = rows;
  return [
    `${connections} holds at a time, placed as billing's route places them (those that come at the same time in one statement with one durable commit), without HTTP, while one process of billing settles a backlog of ${whole(settled)} executions of other accounts; timed over the whole settling, the start of that process included. Load, settlement and database share the cores. Afterwards the invariants of the books held.`,
    table(
      [
        'Accounts',
        'Holds /s',
        'p50 ms',
        'p99 ms',
        'settled meanwhile /s',
        'PostgreSQL CPU µs a hold, settlement included',
      ],
      rows.map((row) => [
        whole(row.accounts),
        whole(row.perSecond),
        ms(row.p50Ms),
        ms(row.p99Ms),
        whole(row.settledPerSecond),
        whole(row.postgresCpuMicroseconds),
      ]),
    ),
    `Bars: ${judged(`at least ${whole(MIN_ON_ONE_ACCOUNT)} holds/s on one account`, (one?.perSecond ?? 0) >= MIN_ON_ONE_ACCOUNT)}; ${judged(`at least ${whole(MIN_OVER_MANY)}/s over ${whole(many?.accounts ?? 0)}`, (many?.perSecond ?? 0) >= MIN_OVER_MANY)}.`,
  ].join('\n\n');
}
