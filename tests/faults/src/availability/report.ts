import { availableParallelism } from 'node:os';
import type { SeenByClients } from './seen-by-clients.js';

export interface PlayedFault {
  readonly name: string;
  readonly seen: SeenByClients;
  /** Ids of answers with 5xx that were looked up. */
  readonly lookedUp: number;
  /** The fault's own findings, beside those of the clients. */
  readonly notes: readonly string[];
  /** The broken promises. */
  readonly broken: readonly string[];
}

export interface Run {
  readonly seed: number | undefined;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Invariants, topic, reconciliation and ledger, over all of it. */
  readonly booksAgree: boolean;
}

const head = ['Fault', 'Times', 'Calls', '503', 'Unknown', 'Looked up', 'Refused', 'p50 ms', 'p99 ms', 'Longest ms'];

/** Markdown: what ran where, one row for each fault over all the times that it was played, what they found out, and each broken promise. */
export function reportOf(played: readonly PlayedFault[], run: Run): string {
  const names = [...new Set(played.map(({ name }) => name))];
  const broken = played.flatMap((one) => one.broken.map((what) => `- ${one.name}: ${what}`));
  const notes = played.flatMap((one) => one.notes.map((note) => `- ${note}`));
  return [
    summaryOf(played, run),
    '',
    `| ${head.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(head.length - 1)}`,
    ...names.map((name) => rowOf(played.filter((one) => one.name === name))),
    '',
    ...(notes.length === 0 ? [] : [...notes, '']),
    ...(broken.length === 0 ? [] : ['Promised and not kept:', '', ...broken, '']),
  ].join('\n');
}

function summaryOf(played: readonly PlayedFault[], { seed, startedAt, endedAt, booksAgree }: Run): string {
  const minutes = Math.round((endedAt.getTime() - startedAt.getTime()) / 60_000);
  const calls = played.reduce((sum, { seen }) => sum + seen.calls, 0);
  const broken = played.reduce((sum, one) => sum + one.broken.length, 0);
  const machine = `${availableParallelism()} processors, Node ${process.versions.node}`;
  const order = seed === undefined ? '' : `, seed ${seed}`;
  return (
    `Run on ${startedAt.toISOString().slice(0, 10)} (${machine}): ${played.length} faults in ${minutes} minutes${order}, ` +
    `${calls} paid calls. Promises broken: ${broken}. The books ${booksAgree ? 'agree' : 'DO NOT AGREE, or were not compared'}.`
  );
}

/** Counts are sums; times are the worst. */
function rowOf(times: readonly PlayedFault[]): string {
  const sum = (of: (one: PlayedFault) => number): number => times.reduce((total, one) => total + of(one), 0);
  const most = (of: (one: PlayedFault) => number): number => Math.max(...times.map(of));
  const cells = [
    times[0]?.name,
    times.length,
    sum(({ seen }) => seen.calls),
    sum(({ seen }) => seen.notRun),
    sum(({ seen }) => seen.unknown),
    sum(({ lookedUp }) => lookedUp),
    sum(({ seen }) => seen.refused),
    most(({ seen }) => seen.p50Ms),
    most(({ seen }) => seen.p99Ms),
    most(({ seen }) => seen.longestMs),
  ];
  return `| ${cells.join(' | ')} |`;
}
