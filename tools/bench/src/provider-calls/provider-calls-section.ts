import { judged, megabytes, microseconds, ms, table, whole } from '../report/markdown.js';
import type { LatencyResult, LatencyRow } from './measure-added-latency.js';
import type { MemoryResult, MemoryRow } from './measure-memory.js';
import type { ProviderCallsResult } from './measure-provider-calls.js';
import type { SlowResult } from './measure-slow-calls.js';

/** The bars of the design. */
const MAX_ADDED_P95_MS = 15;
/** "Flat": what a call may leave behind, well below what any object kept for each call would take. */
const MAX_MEGABYTES_PER_10_000_CALLS = 1;

const BYTES_PER_MEGABYTE = 1_048_576;

export function providerCallsSection({ accounts, latency, slow, memory }: ProviderCallsResult): string {
  return [
    `Standalone: calls of paid tools (0.5 credits) of HTTP providers, fully accounted. The provider is a process of its own on the loopback interface; its tools were registered by manifests through the admin API, with an \`egress\` that opens that address. ${whole(accounts)} accounts, limits and all other settings at their defaults.`,
    ...latencyParagraphs(latency),
    ...slowParagraphs(slow),
    ...memoryParagraphs(memory),
  ].join('\n\n');
}

function latencyParagraphs(result: LatencyResult): string[] {
  const { perSecond, rounds, roundSeconds, providerMs, rows } = result;
  const added = rows.find(({ what }) => what === 'through the router')?.addedP95Ms ?? Number.POSITIVE_INFINITY;
  const met = added <= MAX_ADDED_P95_MS;
  return [
    '### Added latency',
    `Requests arriving at a constant ${perSecond}/s, each timed from the moment it was due, to a provider that answers after ${providerMs} ms; ${rounds} rounds of ${roundSeconds} s of each way, turn about. The baselines are the provider itself and a plain reverse proxy before it (\`@fastify/http-proxy\`, a process of its own), which does nothing but pass on. A run with any answer but 200 with \`success: true\` is thrown away. CPU includes the settling of the calls.`,
    table(
      ['What', 'Answers /s', 'p50 ms', 'p95 ms', 'p99 ms', 'added p50 ms', 'added p95 ms', 'CPU µs a request'],
      rows.map(latencyCells),
    ),
    `Bar: ${judged(`at most ${MAX_ADDED_P95_MS} ms added at p95`, met)}.`,
  ];
}

const latencyCells = (row: LatencyRow): string[] => [
  row.what,
  whole(row.answersPerSecond),
  ms(row.p50Ms),
  ms(row.p95Ms),
  ms(row.p99Ms),
  row.what === 'provider directly' ? '' : ms(row.addedP50Ms),
  row.what === 'provider directly' ? '' : ms(row.addedP95Ms),
  microseconds(row.cpuMicroseconds),
];

function slowParagraphs(result: SlowResult): string[] {
  const { calls, providers, delayMs, good, connections, health, freeCalls } = result;
  const held =
    good === calls &&
    result.mostAtProviders === calls &&
    health.good === health.sent &&
    freeCalls.good === freeCalls.sent &&
    connections.mostOpen < connections.limit;
  return [
    '### Slow providers',
    `${whole(calls)} calls that arrive within a tenth of a second and take their provider ${delayMs / 1_000} s each, spread over ${providers} providers, so that each stays below its default of 128 calls at once (\`PROVIDER_MAX_CONCURRENT\`). Meanwhile \`/readyz\` was asked and a free tool called, one after the other, again and again.`,
    table(
      ['', ''],
      [
        ['answered 200 with `success: true`', whole(good)],
        ['at providers at the same time, most', whole(result.mostAtProviders)],
        ['from the first call to the last answer', `${ms(result.wallMs)} ms`],
        ['a call, p50 and most', `${ms(result.p50Ms)} and ${ms(result.mostMs)} ms`],
        [
          'database connections, most open and most in a statement or transaction',
          `${connections.mostOpen} and ${connections.mostBusy} of ${connections.limit}`,
        ],
        [
          'memory of Node (RSS), before and most',
          `${megabytes(result.memory.before)} and ${megabytes(result.memory.most)} MB`,
        ],
        [
          '`/readyz` answered 200, of so many; median and most',
          `${health.good} of ${health.sent}; ${ms(health.medianMs)} and ${ms(health.mostMs)} ms`,
        ],
        [
          'free calls answered with success, of so many; median and most',
          `${freeCalls.good} of ${freeCalls.sent}; ${ms(freeCalls.medianMs)} and ${ms(freeCalls.mostMs)} ms`,
        ],
      ],
    ),
    good === calls && freeCalls.good === freeCalls.sent
      ? `Afterwards the books held one charge and one settled audit row for each of the ${whole(good)} calls, and no hold was left open.`
      : `Other ends: ${otherEnds(result)}. The books were not compared, as what was not answered with success cannot be reconciled by counting.`,
    `Bar: ${judged(`${whole(calls)} slow calls at once, all answered with success, without running out of database connections, other requests being answered meanwhile`, held)}.`,
  ];
}

/** `503: 113, timeout: 2`, and one of them as it came. */
function otherEnds({ bad, badSample }: SlowResult): string {
  const counted = Object.entries(bad).map(([kind, count]) => `${kind}: ${whole(count)}`);
  return [
    counted.join(', ') || 'of free calls only',
    ...(badSample === undefined ? [] : [`such as \`${oneLine(badSample)}\``]),
  ].join('; ');
}

const oneLine = (text: string): string => text.replaceAll('`', "'").replaceAll(/\s+/g, ' ').trim();

function memoryParagraphs(result: MemoryResult): string[] {
  const { calls, wanted, connections, rows } = result;
  const flat = perTenThousand(rows.node.pss) <= MAX_MEGABYTES_PER_10_000_CALLS;
  const complete = calls >= wanted;
  return [
    '### Memory over many calls',
    `${whole(calls)} paid calls at ${connections} connections as fast as they go, of a provider that answers at once, after ${whole(result.warmUpCalls)} to warm up: ${whole(calls / result.seconds)}/s over ${whole(result.seconds)} s, pauses for checking the books included. Memory was read ${result.samples} times; growth is the slope of a straight line through what was read over the later half of the calls. PostgreSQL fills its shared buffers meanwhile.`,
    table(
      ['', 'start MB', 'most MB', 'end MB', 'growth MB per 10,000 calls'],
      [
        memoryCells('standalone (Node), PSS', rows.node.pss),
        memoryCells('standalone (Node), RSS', rows.node.rss),
        memoryCells('PostgreSQL, PSS', rows.postgres.pss),
        memoryCells('PostgreSQL, RSS', rows.postgres.rss),
      ],
    ),
    `The books were checked after every part of the run: one charge and one settled audit row for each call, no hold left open. The provider got ${whole(result.providerCalls)} requests for them.`,
    `Bar: ${judged(`memory flat over ${whole(wanted)} calls, that is Node (PSS) grows by at most ${MAX_MEGABYTES_PER_10_000_CALLS} MB per 10,000 calls`, flat && complete)}.${complete ? '' : ` The time was up after ${whole(calls)} calls.`}`,
  ];
}

const perTenThousand = (row: MemoryRow): number => (row.growthPerCall * 10_000) / BYTES_PER_MEGABYTE;

const memoryCells = (name: string, row: MemoryRow): string[] => [
  name,
  megabytes(row.start),
  megabytes(row.most),
  megabytes(row.end),
  perTenThousand(row).toFixed(2),
];
