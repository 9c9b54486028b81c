import type { CallResult } from '../accounted-calls/measure-calls.js';
import type { HopRow } from '../gateway-hop/measure-gateway-hop.js';
import type { SettlementResult } from '../settlement/measure-settlement.js';
import type { StartUpResult } from '../start-up/measure-start-up.js';
import { judged, megabytes, microseconds, ms, table, whole } from './markdown.js';

/** The bars of the design. */
const MIN_HOP_RATIO = 0.65;
const MAX_ADDED_P50_MS = 1;
const MIN_PAID_CALLS_PER_SECOND = 900;
/** The share of answers to calls at a constant rate that tells what credits remain. */
const MIN_WITH_CREDITS = 0.999;
const MIN_SETTLED_PER_SECOND = 8_000;
const MAX_FIRST_CALL_MS = 10_000;
const MAX_IDLE_BYTES = 350 * 1_048_576;

const paragraphs = (...texts: readonly string[]): string => texts.join('\n\n');

export function gatewayHopSection(rows: readonly HopRow[]): string {
  const busiest = rows.at(-1);
  const calmest = rows[0];
  const ratioMet = (busiest?.ratio ?? 0) >= MIN_HOP_RATIO;
  const addedMet = (calmest?.addedP50Ms ?? Number.POSITIVE_INFINITY) <= MAX_ADDED_P50_MS;
  return paragraphs(
    'A POST of an Execute body, admitted (key, scope, limit), parsed and forwarded by the real gateway over its keep-alive pool, beside the same POST sent to the same upstream directly with the tokens that the gateway would add. The upstream is the web layer of every service (Nest, token checks) without work of its own. Gateway, upstream and load generator are a process each; 2,400 keys of as many accounts, limits on at their defaults, each key asked about again every 30 s.',
    table(
      [
        'Connections',
        'Direct /s',
        'Gateway /s',
        'Ratio',
        'Direct p50 ms',
        'Gateway p50 ms',
        'Added p50 ms',
        'Direct p99 ms',
        'Gateway p99 ms',
        'CPU µs a request',
      ],
      rows.map((row) => [
        String(row.connections),
        whole(row.directPerSecond),
        whole(row.gatewayPerSecond),
        row.ratio.toFixed(2),
        ms(row.directP50Ms),
        ms(row.gatewayP50Ms),
        ms(row.addedP50Ms),
        ms(row.directP99Ms),
        ms(row.gatewayP99Ms),
        microseconds(row.cpuMicroseconds),
      ]),
    ),
    `Bars: ${judged(`throughput at ${busiest?.connections ?? 0} connections at least ${MIN_HOP_RATIO} of direct`, ratioMet)}; ${judged(`at most ${MAX_ADDED_P50_MS} ms added at p50 on an idle machine (${calmest?.connections ?? 0} connection)`, addedMet)}.`,
    ...(ratioMet && addedMet
      ? []
      : [
          `What falls short: through the gateway a request costs ${microseconds(busiest?.cpuMicroseconds ?? {})} µs of CPU, and on a machine that three busy processes share the ratio follows from that sum, not from waiting.`,
        ]),
  );
}

export function callsSection(where: string, result: CallResult): string {
  const { steady } = result;
  const busiest = result.rows.filter(({ what }) => what === 'paid tool').at(-1);
  const met = (busiest?.perSecond ?? 0) >= MIN_PAID_CALLS_PER_SECOND;
  return paragraphs(
    `${where}: calls of a paid built-in tool (0.5 credits, run in a process of its own), fully accounted: key, limit, hold, execution events, ledger, audit. Baselines of the same run are an answer of the gateway alone and a free tool, which takes no hold. ${whole(result.accounts)} accounts opened and funded through the admin API, limits on at their defaults. Only 200 answers with \`success: true\` count; a run with any other answer is thrown away. CPU includes the settling of the calls.`,
    table(
      ['Connections', 'What', 'Answers /s', 'p50 ms', 'p99 ms', 'CPU µs a request'],
      result.rows.map((row) => [
        String(row.connections),
        row.what,
        whole(row.perSecond),
        ms(row.p50Ms),
        ms(row.p99Ms),
        microseconds(row.cpuMicroseconds),
      ]),
    ),
    `The books were checked after every round: ${whole(result.paidCalls)} paid calls, as many charges in the ledger, an audit row with its settlement for each, no hold left open. From the last answer of a round until then took ${ms(result.drainMs.median)} ms (median; at most ${ms(result.drainMs.most)} ms).`,
    `At ${steady.perSecond} paid calls/s, which arrive whether or not earlier ones are answered, ${whole(steady.withCredits)} of ${whole(steady.answers)} answers have \`remaining_credits\`.`,
    `Bars: ${judged(`at least ${MIN_PAID_CALLS_PER_SECOND} paid calls/s at ${busiest?.connections ?? 0} connections`, met)}; ${judged(`\`remaining_credits\` in at least ${MIN_WITH_CREDITS * 100} % of the answers at ${steady.perSecond} calls/s`, steady.withCredits >= MIN_WITH_CREDITS * steady.answers)}.`,
    ...(met
      ? []
      : [
          `What falls short: ${whole(busiest?.perSecond ?? 0)}/s; a call costs ${microseconds(busiest?.cpuMicroseconds ?? {})} µs of CPU, load generator included, on a machine whose cores give 1,000,000 µs a second each.`,
        ]),
  );
}

export function settlementSection(where: string, result: SettlementResult): string {
  const alone = result.rows[0];
  const met = (alone?.perSecond ?? 0) >= MIN_SETTLED_PER_SECOND;
  return paragraphs(
    `${where}: a full backlog of ${whole(result.executions)} paid executions (a start and an end each, so twice as many events) over ${result.accounts} accounts with open holds, drained by the real consumers of billing in batches of 500 events; ${result.rounds} rounds. Timed from the end of the first batch to the end of the last. The baseline inserts as many ledger rows, 500 a transaction, into a table with the ledger's columns and primary key and nothing else. After all rounds the invariants of the ledger held, with one charge and one settled audit row for each execution.`,
    table(
      ['What', 'Executions /s', 'of the baseline', 'billing CPU µs each', 'PostgreSQL CPU µs each'],
      [
        ...result.rows.map((row) => [
          row.what,
          whole(row.perSecond),
          (row.perSecond / result.plainInsertsPerSecond).toFixed(2),
          whole(row.billingCpuMicroseconds),
          whole(row.postgresCpuMicroseconds),
        ]),
        ['baseline: plain inserts (rows)', whole(result.plainInsertsPerSecond), '1.00', '', ''],
      ],
    ),
    `Bar: ${judged(`at least ${whole(MIN_SETTLED_PER_SECOND)} executions/s`, met)}.`,
    ...(met
      ? []
      : [
          `What falls short: settling one execution takes ${whole(alone?.billingCpuMicroseconds ?? 0)} µs of CPU in billing and ${whole(alone?.postgresCpuMicroseconds ?? 0)} µs in PostgreSQL while a batch's statements wait for each other; load, database and billing share the cores.`,
        ]),
  );
}

export function startUpSection(result: StartUpResult): string {
  const idle = result.node.pss + result.postgres.pss;
  const callMet = result.first.firstCallMs <= MAX_FIRST_CALL_MS;
  const memoryMet = idle <= MAX_IDLE_BYTES;
  return paragraphs(
    `Standalone, from starting the process; ${result.rounds} rounds on a fresh data folder, each with a second start on the same data. The first call is a paid one with the demo key. Memory is that of the process and its database ${result.idleSeconds} s after that call; PSS shares out pages that the database's processes have in common, RSS counts them once for each.`,
    table(
      ['', 'to `/readyz` ms', 'to the first accepted call ms'],
      [
        ['first start, empty data folder', ms(result.first.readyMs), ms(result.first.firstCallMs)],
        ['second start', ms(result.second.readyMs), ms(result.second.firstCallMs)],
      ],
    ),
    table(
      ['Idle', 'PSS MB', 'RSS MB'],
      [
        ['standalone (Node)', megabytes(result.node.pss), megabytes(result.node.rss)],
        ['PostgreSQL', megabytes(result.postgres.pss), megabytes(result.postgres.rss)],
        ['together', megabytes(idle), megabytes(result.node.rss + result.postgres.rss)],
      ],
    ),
    `Idle, both together take ${(result.idleCpu * 100).toFixed(1)} % of one core.`,
    `Bars: ${judged('at most 10 s to the first accepted call after install', callMet)}; ${judged('idle at most 350 MB (PSS)', memoryMet)}.`,
  );
}
