import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { csvHead, textCell } from './csv-cells.js';

/** Rows read at once; two such pages are held at most. */
export const EXPORT_PAGE_ROWS = 4_000;
/** Rows of which lines are made at once: a fraction of a millisecond in which nobody else is served. */
const CHUNK_ROWS = 200;

export interface CsvColumn {
  readonly name: string;
  /** An expression of SQL. */
  readonly sql: string;
  /**
   * `text` may hold what a caller, a tool or an operator wrote. `exact` is a number, a time, an id of ours or one of our
   * constants: never anything that CSV quotes, so the database joins such cells.
   */
  readonly kind: 'text' | 'exact';
}

/** The cells of a row in the order of the select list, then the place of the row in the order of the export. */
export type CsvRow = readonly (string | null)[];

/** Reads the next rows after a place; `undefined` stands for the beginning. Fewer than a page are the last. */
export type ReadCsvPage = (after: string | undefined) => Promise<readonly CsvRow[]>;

export const text = (name: string, sql = `u.${name}`): CsvColumn => ({ name, sql, kind: 'text' });
export const exact = (name: string, sql = `u.${name}`): CsvColumn => ({ name, sql, kind: 'exact' });
/** Micro-credits as decimal credits, never as a float. */
export const credits = (name: string, micro: string): CsvColumn =>
  exact(name, `trim_scale((${micro})::numeric * 0.000001)`);
export const timestamp = (name: string, sql: string): CsvColumn =>
  exact(name, `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** Neighbours that are exact, or one column of text. */
interface Cell {
  readonly kind: CsvColumn['kind'];
  readonly sql: readonly string[];
}

function cellsOf(columns: readonly CsvColumn[]): Cell[] {
  const cells: { kind: CsvColumn['kind']; sql: string[] }[] = [];
  for (const { kind, sql } of columns) {
    const last = cells.at(-1);
    if (kind === 'exact' && last?.kind === 'exact') last.sql.push(`(${sql})::text`);
    else cells.push({ kind, sql: [`(${sql})::text`] });
  }
  return cells;
}

/**
 * The select list: all as text, so that nothing is parsed on the way from the database to the file, and neighbours that
 * are exact as one, because each cell of a row costs the driver more than PostgreSQL takes to make it.
 */
export function selectList(columns: readonly CsvColumn[], place: string): string {
  const cells = cellsOf(columns).map(({ sql }) =>
    sql.length === 1 ? sql.join() : `array_to_string(ARRAY[${sql.join(', ')}], ',', '')`,
  );
  return [...cells, `(${place})::text`].join(', ');
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
  const kinds = cellsOf(columns).map(({ kind }) => kind);
  yield csvHead(columns.map(({ name }) => name));
  for (let page = first; page.length > 0;) {
    const next = page.length < EXPORT_PAGE_ROWS ? undefined : readPage(page.at(-1)?.at(-1) ?? undefined);
    // Whoever awaits it below is told; whoever leaves before has nobody to tell.
    next?.catch(() => undefined);
    for (let from = 0; from < page.length; from += CHUNK_ROWS) {
      // Others have their turn, among them the question for the next page, so that the database works meanwhile.
      await nextTurn();
      yield linesOf(page.slice(from, from + CHUNK_ROWS), kinds);
    }
    page = (await next) ?? [];
  }
}

function linesOf(page: readonly CsvRow[], kinds: readonly CsvColumn['kind'][]): string {
  let lines = '';
  for (const row of page) {
    for (let i = 0; i < kinds.length; i += 1) {
      const value = row[i] ?? null;
      lines += `${i === 0 ? '' : ','}${kinds[i] === 'text' ? textCell(value) : (value ?? '')}`;
    }
    lines += '\r\n';
  }
  return lines;
}
