import { judged, microseconds, ms, table, whole } from '../report/markdown.js';
import type { IdentityResult } from './measure-identity.js';

/** The bars of the design's issue. */
const MAX_CACHED_MICROSECONDS = 20;
const MAX_COLD_P99_MS = 5;
const MIN_REGISTRATIONS_PER_SECOND = 200;
const MAX_TRIES = 5;
const MAX_REVOKED_MS = 1_000;

const sum = (byProcess: Readonly<Record<string, number>>): number =>
  Object.values(byProcess).reduce((all, each) => all + each, 0);

export function identitySection(result: IdentityResult): string {
  const { cached, cold, registrations, guessing, revocations, gateways, sizes } = result;
  const slowest = Math.max(...cached.map((row) => row.microseconds));
  const coldest = Math.max(...cold.map(({ addedP99Ms }) => addedP99Ms));
  const slowestCold = Math.max(...cold.map(({ coldP99Ms }) => coldP99Ms));
  const busiest = registrations.findLast(({ what }) => what === 'registration');
  const met = (busiest?.perSecond ?? 0) >= MIN_REGISTRATIONS_PER_SECOND;
  const up = revocations.filter(({ what }) => !what.includes('down'));
  const down = revocations.find(({ what }) => what.includes('down'));
  const latest = Math.max(...up.map(({ refusedMostMs }) => refusedMostMs));
  return [
    `**A credential that a gateway knows**: what its directory takes to say whose it is, in one process, one look-up after another; beside it the SHA-256 of the same text alone, under which memory knows it. A key and a token alike are asked about once, and then known until they end, are revoked, or half a minute has passed.`,
    table(
      ['Known', 'µs a look-up', 'of which SHA-256 µs', 'questions to identity each'],
      cached.map((row) => [
        row.what,
        row.microseconds.toFixed(2),
        row.hashMicroseconds.toFixed(2),
        row.askedPerCredential.toFixed(2),
      ]),
    ),
    `Bar: ${judged(`at most ${MAX_CACHED_MICROSECONDS} µs`, slowest <= MAX_CACHED_MICROSECONDS)}.`,
    `**A credential that a gateway sees for the first time**: a request that the gateway refuses by itself for its scope, over one keep-alive connection, ${whole(sizes.cold)} credentials of each kind; and the same request again, which is the baseline. What the verification added is the difference of the two, credential by credential.`,
    table(
      ['First seen', 'p50 ms', 'p99 ms', 'again p50 ms', 'again p99 ms', 'added p50 ms', 'added p99 ms'],
      cold.map((row) => [
        row.what,
        ...[row.coldP50Ms, row.coldP99Ms, row.warmP50Ms, row.warmP99Ms, row.addedP50Ms, row.addedP99Ms].map(ms),
      ]),
    ),
    `Bar: ${judged(`at most ${MAX_COLD_P99_MS} ms added at p99`, coldest <= MAX_COLD_P99_MS)}; the whole request, HTTP included, takes ${ms(slowestCold)} ms at p99 at most.`,
    '**Registrations of trials**, each answered when billing has booked its credits, which it hears of through Kafka; one process of each service, caps lifted. The baseline is an answer of the gateway alone.',
    table(
      ['Connections', 'What', 'Answers /s', 'p50 ms', 'p99 ms', 'CPU µs a request'],
      registrations.map((row) => [
        String(row.connections),
        row.what,
        whole(row.perSecond),
        ms(row.p50Ms),
        ms(row.p99Ms),
        microseconds(row.cpuMicroseconds),
      ]),
    ),
    `Bar: ${judged(`at least ${MIN_REGISTRATIONS_PER_SECOND}/s at ${busiest?.connections ?? 0} connections`, met)}.`,
    ...(met
      ? []
      : [
          `What falls short: a registration takes ${whole(sum(busiest?.cpuMicroseconds ?? {}))} µs of CPU in all processes together, which share the cores of this machine with the load generator.`,
        ]),
    `**Guesses of a mailed code**: ${guessing.clients} clients at once, at ${gateways} gateways and as many of identity, for each of ${guessing.trials} claims. Of the codes of one claim ${guessing.fewestTried === guessing.mostTried ? guessing.mostTried : `${guessing.fewestTried} to ${guessing.mostTried}`} were tried; all were answered within ${ms(guessing.slowestMs)} ms (${Object.entries(
      guessing.statuses,
    )
      .map(([status, count]) => `${whole(count)} with ${status}`)
      .join(', ')}).`,
    `Bar: ${judged(`at most ${MAX_TRIES} tries`, guessing.mostTried <= MAX_TRIES)}.`,
    `**Revocations**, from sending one until each of ${gateways} gateways, asked every few milliseconds, refuses the credential.`,
    table(
      [
        'Revoked',
        'how many',
        'answered p50 ms',
        'answered at most ms',
        'refused p50 ms',
        'refused at most ms',
        'answered `pending`',
      ],
      revocations.map((row) => [
        row.what,
        String(row.count),
        ms(row.answerP50Ms),
        ms(row.answerMostMs),
        ms(row.refusedP50Ms),
        ms(row.refusedMostMs),
        String(row.pending),
      ]),
    ),
    `Bar: ${judged(`with the broker up at most ${MAX_REVOKED_MS / 1_000} s`, latest <= MAX_REVOKED_MS)}. With it down a gateway goes on with what it knows until that is 30 s old, which is the bound${down === undefined ? '' : ` (${ms(down.refusedMostMs)} ms at most here)`}; the answer says \`pending\`.`,
  ].join('\n\n');
}
