import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AdminApi, type Data, type GlobalOptions } from '../admin-api.js';
import { causeOf } from '../gateway/gateway.js';
import { leavesBehind, leftBehind } from '../interruption.js';
import { startProgress, type Progress } from '../progress.js';
import { shown } from '../table.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

const NEWLINE = 0x0a;
const YAML = /\.ya?ml$/i;
/** Results of rows whose tool or contract is not there afterwards. */
const NOT_TAKEN = ['invalid', 'refused', 'rejected'];

/** Command line of the file: rows of NDJSON, or YAML documents. */
export const ROWS_ARGUMENT = ['<file>', 'rows of NDJSON, or YAML documents set off by --- (.yaml, .yml)'] as const;

interface Report {
  /** Rows that were told of. */
  readonly rows: number;
  /** The last line. */
  readonly last: Data;
}

export interface RowsToImport {
  /** Below `/admin/v1`, without its query. */
  readonly path: string;
  readonly file: string;
  readonly dryRun: boolean;
  /** Members of the query beside `dry_run`. */
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Sends a file of rows and prints what became of each while they are taken. A file of any size is sent as it is read.
 * @throws CommandError where not every row was taken
 */
export async function importRows(
  { path, file, dryRun, query = {} }: RowsToImport,
  global: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  const api = AdminApi.from(global, terminal);
  const type = YAML.test(file) ? 'application/yaml' : 'application/x-ndjson';
  const { rows, total } = await openRows(file, global);
  leavesBehind(
    terminal,
    dryRun
      ? 'Nothing was written. Give the same command again.'
      : 'Rows may have been taken. Send the same file again: what is as it says already does not change.',
  );
  const asked = new URLSearchParams({ ...(dryRun ? { dry_run: 'true' } : {}), ...query }).toString();
  let report: Report;
  try {
    const progress = await startProgress(terminal, global, { unit: 'rows', total });
    try {
      const print = global.json === true ? JSON.stringify : reportLine;
      report = await follow(
        api.import(asked === '' ? path : `${path}?${asked}`, ofFile(rows, file), type),
        progress,
        print,
      );
    } finally {
      progress.end();
    }
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== exitCodes.unreachable) throw error;
    throw new CommandError(error.exitCode, error.message, [...error.hints, ...leftBehind(terminal)], error.answer);
  } finally {
    rows.destroy();
  }
  requireWhole(report, leftBehind(terminal));
}

async function follow(lines: AsyncIterable<Data>, progress: Progress, print: (line: Data) => string): Promise<Report> {
  let rows = 0;
  let last: Data = {};
  for await (const line of lines) {
    if (line['row'] !== undefined) rows += 1;
    last = line;
    progress.report(rows);
    progress.line(print(line));
  }
  return { rows, last };
}

function requireWhole({ rows, last: { summary, error } }: Report, hints: readonly string[]): void {
  if (summary === undefined && error === undefined) {
    throw new CommandError(exitCodes.unreachable, `the import broke off after ${rows} rows`, hints);
  }
  const { results = {} } = (summary ?? {}) as { results?: Data };
  if (error !== undefined || NOT_TAKEN.some((result) => results[result] !== undefined))
    throw new CommandError(exitCodes.failed, 'not every row was taken');
}

/** `total`: absent where nobody looks at it, where a pipe is read once, and of YAML, whose documents have no certain end before they are parsed. */
async function openRows(
  file: string,
  { json }: GlobalOptions,
): Promise<{ readonly rows: Readable; readonly total: number | undefined }> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw new Error('it is a folder');
    const isCounted = json !== true && stats.isFile() && !YAML.test(file);
    const total = isCounted ? await countLines(file) : undefined;
    return { rows: (await open(file)).createReadStream(), total };
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function countLines(file: string): Promise<number> {
  let [lines, last] = [0, NEWLINE];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    last = chunk.at(-1) ?? last;
  }
  return last === NEWLINE ? lines : lines + 1;
}

/** Its chunks. A fault of the file is none of the gateway, which they are sent to. */
async function* ofFile(rows: Readable, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* rows as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable(file, error);
  }
}

const unreadable = (file: string, error: unknown): CommandError =>
  new CommandError(exitCodes.usage, `the rows of ${file} cannot be read: ${causeOf(error)}`);

/** A row and what became of it, or what the whole came to. */
function reportLine(line: Data): string {
  if (line['row'] === undefined) return JSON.stringify(line['summary'] ?? line['error']);
  const { row, capability_id: capability, id = capability, result, message, breaks, details } = line;
  const faults = (Array.isArray(details) ? (details as Data[]) : []).map(
    ({ loc, msg }) => `${Array.isArray(loc) ? loc.join('.') : ''}: ${shown(msg, '-')}`,
  );
  const why = [
    ...(message === undefined ? [] : [shown(message, '-')]),
    ...(Array.isArray(breaks) ? breaks.map(String) : faults),
  ];
  const what = [`row ${shown(row, '-')}`, shown(id, '-'), shown(result, '-')];
  return [...what, ...(why.length === 0 ? [] : [why.join('; ')])].join('  ');
}
