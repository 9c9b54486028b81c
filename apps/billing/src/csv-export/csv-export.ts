import { Readable } from 'node:stream';
import { csvLines, harmless } from './csv-cells.js';

/** Rows read at once; two such pages are held at most. */
export const EXPORT_PAGE_ROWS = 2_000;

export interface CsvColumn {
  readonly name: string;
  /** An expression of SQL. */
  readonly sql: string;
  /** `text` may hold what a caller, a tool or an operator wrote. */
  readonly kind: 'text' | 'exact';
}

/** Cells in the order of the columns, then the place of the row in the order of the export. */
export type CsvRow = readonly (string | null)[];

/** Reads the next rows after a place; `undefined` stands for the beginning. Fewer than a page are the last. */
export type ReadCsvPage = (after: string | undefined) => Promise<readonly CsvRow[]>;

export const text = (name: string, sql = `u.${name}`): CsvColumn => ({ name, sql, kind: 'text' });
export const exact = (name: string, sql = `u.${name}`): CsvColumn => ({ name, sql, kind: 'exact' });
/** Micro-credits as decimal credits, never as a float. */
export const credits = (name: string, micro: string): CsvColumn =>
  exact(name, `trim_scale((${micro})::numeric / 1000000)`);
export const timestamp = (name: string, sql: string): CsvColumn =>
  exact(name, `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** The select list: all as text, so that nothing is parsed on the way from the database to the file. */
export function selectList(columns: readonly CsvColumn[], place: string): string {
  return [...columns.map(({ sql }) => `(${sql})::text`), `(${place})::text`].join(', ');
}

/**
 * The file as it is read, page after page, no faster than it is taken. Between pages no connection and no snapshot is
 * held, so that a slow download costs the database nothing; what is recorded after the first page is not in the file.
 * Rejects where the first page cannot be read; a later fault breaks the stream.
 */
export async function csvExport(columns: readonly CsvColumn[], readPage: ReadCsvPage): Promise<Readable> {
  const first = await readPage(undefined);
  return Readable.from(chunks(columns, readPage, first), { objectMode: false });
}

async function* chunks(
  columns: readonly CsvColumn[],
  readPage: ReadCsvPage,
  first: readonly CsvRow[],
): AsyncGenerator<string> {
  yield csvLines([columns.map(({ name }) => name)]);
  for (let page = first; page.length > 0;) {
    const next = page.length < EXPORT_PAGE_ROWS ? undefined : readPage(page.at(-1)?.at(-1) ?? undefined);
    // Whoever awaits it below is told; whoever leaves before has nobody to tell.
    next?.catch(() => undefined);
    yield csvLines(page.map((row) => columns.map(({ kind }, index) => cellOf(row[index] ?? null, kind))));
    page = (await next) ?? [];
  }
}

const cellOf = (value: string | null, kind: CsvColumn['kind']): string | null =>
  value === null || kind === 'exact' ? value : harmless(value);
