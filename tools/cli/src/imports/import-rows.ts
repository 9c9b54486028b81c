import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AdminApi, type Data, type GlobalOptions } from '../admin-api.js';
import { leavesBehind } from '../interruption.js';
import { linesOf } from '../lines.js';
import { startProgress, type Progress } from '../progress.js';
import { shown } from '../table.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

const YAML = /\.ya?ml$/i;
/** What becomes of rows that are not there afterwards. */
const NOT_TAKEN = ['invalid', 'refused'];

/** Command line of the file: rows of NDJSON, or YAML documents. */
export const ROWS_ARGUMENT = ['<file>', 'rows of NDJSON, or YAML documents set off by --- (.yaml, .yml)'] as const;

interface Report {
  /** Rows that were told of. */
  readonly rows: number;
  /** The last line. */
  readonly last: Data;
}

/**
 * Sends a file of rows and prints what became of each while they are taken. A file of any size is sent as it is read.
 * @param path below `/admin/v1`
 * @throws CommandError where not every row was taken
 */
export async function importRows(path: string, file: string, global: GlobalOptions, terminal: Terminal): Promise<void> {
  const api = AdminApi.from(global, terminal);
  const type = YAML.test(file) ? 'application/yaml' : 'application/x-ndjson';
  const { rows, total } = await openRows(file);
  leavesBehind(
    terminal,
    'Rows may have been taken. Send the same file again: what is as it says already does not change.',
  );
  const progress = await startProgress(terminal, global, { unit: 'rows', total });
  let report: Report;
  try {
    const print = global.json === true ? JSON.stringify : reportLine;
    report = await follow(api.import(path, rows, type), progress, print);
  } finally {
    rows.destroy();
    progress.end();
  }
  requireWhole(report);
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

function requireWhole({ rows, last: { summary, error } }: Report): void {
  if (summary === undefined && error === undefined) {
    throw new CommandError(exitCodes.unreachable, `the import broke off after ${rows} rows`, [
      'They are taken. Send the same file again: it goes on from there.',
    ]);
  }
  const { results = {} } = (summary ?? {}) as { results?: Data };
  if (error !== undefined || NOT_TAKEN.some((result) => results[result] !== undefined))
    throw new CommandError(exitCodes.failed, 'not every row was taken');
}

async function openRows(file: string): Promise<{ readonly rows: Readable; readonly total: number | undefined }> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw new Error(`${file} is a folder`);
    // A pipe is read once, and a document of YAML has no certain end before it is parsed.
    const total = stats.isFile() && !YAML.test(file) ? await countLines(file) : undefined;
    return { rows: createReadStream(file), total };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(exitCodes.usage, `the rows cannot be read: ${why}`);
  }
}

async function countLines(file: string): Promise<number> {
  let lines = 0;
  for await (const _line of linesOf(createReadStream(file))) lines += 1;
  return lines;
}

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
