import { judged, table, whole } from '../report/markdown.js';
import type { BuiltinCallsResult } from './measure-builtin-calls.js';

/** The bar of the design. */
const MAX_ADDED_MS = 0.3;

/** Differences are far below what `ms` shows. */
const ms = (value: number): string => value.toFixed(3);

export function builtinCallsSection({ rows, rounds, calls }: BuiltinCallsResult): string {
  const met = rows.every(({ addedP50Ms }) => addedP50Ms <= MAX_ADDED_MS);
  return [
    `The operation of a built-in tool in a warm process of its own, as execution runs it, beside the same operation in a warm thread of the process that asks; ${rounds} rounds of ${whole(calls)} calls of each way, turn about, one after another.`,
    table(
      ['Work', 'Process p50 ms', 'Process p99 ms', 'Thread p50 ms', 'Thread p99 ms', 'added p50 ms'],
      rows.map((row) => [
        row.what,
        ms(row.processP50Ms),
        ms(row.processP99Ms),
        ms(row.threadP50Ms),
        ms(row.threadP99Ms),
        ms(row.addedP50Ms),
      ]),
    ),
    `Bar: ${judged(`a process costs a call at most ${MAX_ADDED_MS} ms more than a thread at p50`, met)}.`,
  ].join('\n\n');
}
