import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { csvHead, textCell } from './csv-cells.js';
import { cellsOf, type CsvColumn } from './csv-columns.sql.js';

/** Rows read at once; two such pages are held at most. */
export const EXPORT_PAGE_ROWS = 4_000;
/** Rows of which lines are made at once: a fraction of a millisecond in which nobody else is served. */
const CHUNK_ROWS = 200;

/** The cells of a row in the order of the select list, then the place of the row in the order of the export. */
export type CsvRow = readonly (string | null)[];

/** Reads the next rows after a place; `undefined` stands for the beginning. Fewer than a page are the last. */
export type ReadCsvPage = (after: string | undefined) => Promise<readonly CsvRow[]>;

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
