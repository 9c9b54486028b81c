import { open, readdir, rename, rm } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer';
import Papa from 'papaparse';
import type { Column, ColumnKind } from '@capability-router/contracts';
import type { Cell } from '../records/read-record.js';
import { streams, type Stream } from '../streams.js';

export type Row = ReadonlyMap<string, Cell>;

const UNFINISHED = '.unfinished';
const formats = ['csv', 'parquet'] as const;

/** `ledger-entries/ledger-entries-00000001.parquet`, say. */
export const segmentFile = (folder: string, stream: Stream['name'], segment: number, format: string): string =>
  join(folder, stream, `${stream}-${String(segment).padStart(8, '0')}.${format}`);

/**
 * Writes both files of a segment under names that nobody reads yet, down to the disk. They get their names when the
 * offsets behind them are stored (`publishSegment`), so a file with its name is complete and never changes.
 */
export async function writeSegment(
  folder: string,
  stream: Stream,
  segment: number,
  rows: readonly Row[],
): Promise<void> {
  const contents = { csv: toCsv(stream.columns, rows), parquet: toParquet(stream.columns, rows) };
  for (const format of formats) {
    const file = await open(`${segmentFile(folder, stream.name, segment, format)}${UNFINISHED}`, 'w');
    try {
      await file.writeFile(contents[format]);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

/** Gives the files of a stored segment their names; again after a crash, if that came in between. */
export async function publishSegment(folder: string, stream: Stream['name'], segment: number): Promise<void> {
  for (const format of formats) {
    const file = segmentFile(folder, stream, segment, format);
    await rename(`${file}${UNFINISHED}`, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  const directory = await open(join(folder, stream), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

export function createFolders(folder: string): void {
  for (const { name } of streams) mkdirSync(join(folder, name), { recursive: true });
}

/** Removes what a crash left of segments that were never stored. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const { name } of streams) {
    for (const file of await readdir(join(folder, name))) {
      if (file.endsWith(UNFINISHED)) await rm(join(folder, name, file));
    }
  }
}

const cellOf = (row: Row, { member }: Column): Cell => row.get(member) ?? null;

/** A spreadsheet would run a text that begins like a formula, and some texts are the callers'. */
const formula = /^[=+\-@\t\r]/;
const csvCell = (cell: Cell, kind: ColumnKind): string => {
  if (cell === null) return '';
  const text = String(cell);
  return kind === 'text' && formula.test(text) ? `'${text}` : text;
};

function toCsv(columns: readonly Column[], rows: readonly Row[]): string {
  const text = Papa.unparse({
    fields: columns.map(({ name }) => name),
    data: rows.map((row) => columns.map((column) => csvCell(cellOf(row, column), column.kind))),
  });
  return `${text}\r\n`;
}

const parquetTypes = {
  text: 'STRING',
  amount: 'INT64',
  number: 'INT64',
  flag: 'BOOLEAN',
  instant: 'TIMESTAMP',
  json: 'STRING',
} as const satisfies Record<ColumnKind, ColumnSource['type']>;

function toParquet(columns: readonly Column[], rows: readonly Row[]): Uint8Array {
  const columnData = columns.map((column): ColumnSource => ({
    name: column.name,
    type: parquetTypes[column.kind],
    nullable: !column.required,
    data: rows.map((row) => parquetCell(cellOf(row, column), column.kind)),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

function parquetCell(cell: Cell, kind: ColumnKind): Cell | Date {
  if (cell === null) return null;
  if (kind === 'number') return BigInt(cell);
  return kind === 'instant' ? new Date(cell as string) : cell;
}
