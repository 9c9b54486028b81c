import { expect } from '@jest/globals';
import { call } from './http.js';

export interface CsvFile {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** Downloads and reads a CSV export (RFC 4180). */
export async function readCsv(key: string, path: string): Promise<CsvFile> {
  const reply = await call('GET', path, { key });
  expect({ status: reply.status, type: reply.headers.get('content-type') }).toEqual({
    status: 200,
    type: 'text/csv; charset=utf-8',
  });
  const [columns = [], ...lines] = recordsOf(reply.text);
  const rows = lines.map((cells) => {
    expect(cells).toHaveLength(columns.length);
    return Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? '']));
  });
  return { columns, rows };
}

/** Every record ends in CR LF; a cell in quotes has any text, its quotes doubled. */
function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) throw new Error(`not CSV: ${text.slice(cell.lastIndex, cell.lastIndex + 80)}`);
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}
