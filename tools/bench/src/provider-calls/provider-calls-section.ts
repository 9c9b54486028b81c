import { judged, megabytes, microseconds, ms, table, whole } from '../report/markdown.js';
import type { LatencyResult, LatencyRow } from './measure-added-latency.js';
import type { MemoryResult } from './measure-memory.js';
import type { ProviderCallsResult } from './measure-provider-calls.js';
import type { SlowResult } from './measure-slow-calls.js';
import { allGood, slowestMs, type ProbeSummaries } from './probes.js';

/** The bars of the design. */
const MAX_ADDED_P95_MS = 15;
/** "Flat": what a call may leave behind, about 100 bytes: less than any object kept for each call would take. */
const MAX_MEGABYTES_PER_10_000_CALLS = 1;
/** Also flat: of what lies outside the heap. */
const MAX_PEAK_GROWTH = 0.1;

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
  const { calls, providers, delayMs, good, connections, probes, proxy } = result;
  const clean = good === calls && allGood(probes.idle) && allGood(probes.meanwhile);
  const held = clean && result.mostAtOnce === calls && connections.mostOpen < connections.limit;
  const starved = !allGood(probes.meanwhile) || slowestMs(probes.meanwhile) >= delayMs;
  return [
    '### Slow providers',
    `${whole(calls)} calls that arrive within a tenth of a second and take their provider ${delayMs / 1_000} s each, spread over ${providers} providers, so that each stays below its default of 128 calls at once (\`PROVIDER_MAX_CONCURRENT\`). Meanwhile \`/readyz\` was asked, a free built-in tool called, and a paid tool of a fast HTTP provider called, one after the other, again and again. The baseline is the same burst on the same provider through the reverse proxy.`,
    table(
      ['What', 'first call to last answer ms', 'p50 ms', 'most ms'],
      [
        ['through a reverse proxy', ms(proxy.wallMs), ms(proxy.p50Ms), ms(proxy.mostMs)],
        ['through the router', ms(result.wallMs), ms(result.p50Ms), ms(result.mostMs)],
      ],
    ),
    table(
      ['Meanwhile', 'answered as it should', 'p50 ms', 'most ms', 'before: p50 ms', 'before: most ms'],
      [
        probeCells('`/readyz`', probes, 'health'),
        probeCells('free built-in tool', probes, 'freeCall'),
        probeCells('paid tool of a fast HTTP provider', probes, 'paidCall'),
      ],
    ),
    `${whole(good)} calls were answered 200 with \`success: true\`; at most ${whole(result.mostAtOnce)} were held at the same time, of which ${whole(result.mostAtProviders)} had reached their provider: fewer than all where the last is dispatched later than the first is answered. Of ${connections.limit} database connections at most ${connections.mostOpen} were open and ${connections.mostBusy} in a statement or transaction. Node took ${megabytes(result.memory.before)} MB (RSS) before and at most ${megabytes(result.memory.most)} MB meanwhile.`,
    clean
      ? `Afterwards the books held one charge and one settled audit row for each of the ${whole(good)} slow calls and of the others, and no hold was left open.`
      : `Other ends: ${otherEnds(result)}. The books were not compared, as what was not answered with success cannot be reconciled by counting.`,
    `Bars: ${judged(`${whole(calls)} slow calls held at once, all answered with success, without running out of database connections`, held)}; ${judged(`no other request waits as long as a slow provider takes (${delayMs / 1_000} s)`, !starved)}.`,
  ];
}

/** `503: 113, timeout: 2`, and one of them as it came. */
function otherEnds({ bad, badSample }: SlowResult): string {
  const counted = Object.entries(bad).map(([kind, count]) => `${kind}: ${whole(count)}`);
  return [
    counted.join(', ') || 'of the other requests only',
    ...(badSample === undefined ? [] : [`such as \`${oneLine(badSample)}\``]),
  ].join('; ');
}

const oneLine = (text: string): string => text.replaceAll('`', "'").replaceAll(/\s+/g, ' ').trim();

const probeCells = (what: string, { idle, meanwhile }: SlowResult['probes'], name: keyof ProbeSummaries): string[] => [
  what,
  `${meanwhile[name].good} of ${meanwhile[name].sent}`,
  ms(meanwhile[name].medianMs),
  ms(meanwhile[name].mostMs),
  ms(idle[name].medianMs),
  ms(idle[name].mostMs),
];

function memoryParagraphs(result: MemoryResult): string[] {
  const { calls, wanted, connections, liveHeap, pss } = result;
  const growth = (liveHeap.growthPerCall * 10_000) / BYTES_PER_MEGABYTE;
  const flat = growth <= MAX_MEGABYTES_PER_10_000_CALLS && pss.node.second <= pss.node.first * (1 + MAX_PEAK_GROWTH);
  const complete = calls >= wanted;
  return [
    '### Memory over many calls',
    `${whole(calls)} paid calls at ${connections} connections as fast as they go, of a provider that answers at once, after ${whole(result.warmUpCalls)} to warm up: ${whole(calls / result.seconds)}/s over ${whole(result.seconds)} s, pauses for checking the books included. Before the calls, after half of them and at the end Node was made to collect all garbage: what its main thread then holds, objects and buffers, shows what calls leave behind, which what a process takes does not, as Node collects late. What the processes took (PSS) was read ${result.samples} times.`,
    table(
      [
        'Live heap of Node, MB: before',
        'after half of the calls',
        'at the end',
        'growth over the second half, MB per 10,000 calls',
      ],
      [[tenths(liveHeap.start), tenths(liveHeap.middle), tenths(liveHeap.end), growth.toFixed(2)]],
    ),
    table(
      ['Memory, PSS', 'most in the first half, MB', 'most in the second half, MB'],
      [
        ['standalone (Node)', megabytes(pss.node.first), megabytes(pss.node.second)],
        ['PostgreSQL, shared buffers included', megabytes(pss.postgres.first), megabytes(pss.postgres.second)],
      ],
    ),
    `The books were checked after every part of the run: one charge and one settled audit row for each call, no hold left open. The provider got ${whole(result.providerCalls)} requests for them.`,
    `Bar: ${judged(`memory flat over ${whole(wanted)} calls, that is the live heap grows by at most ${MAX_MEGABYTES_PER_10_000_CALLS} MB per 10,000 calls, and Node takes at most ${MAX_PEAK_GROWTH * 100} % more in the second half than in the first`, flat && complete)}.${complete ? '' : ` The time was up after ${whole(calls)} calls.`}`,
  ];
}

const tenths = (bytes: number): string => (bytes / BYTES_PER_MEGABYTE).toFixed(1);
