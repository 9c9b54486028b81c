import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { exact, text } from './csv-columns.sql.js';
import { csvExport, EXPORT_PAGE_ROWS, type CsvRow } from './csv-export.js';

const columns = [exact('number'), text('note')];
const PAGES = 200;

/** Pages of `PAGES` × `EXPORT_PAGE_ROWS` rows, and what was asked for. */
function table(total = PAGES * EXPORT_PAGE_ROWS) {
  const asked: (string | undefined)[] = [];
  const read = (after: string | undefined): Promise<CsvRow[]> => {
    asked.push(after);
    const from = Number(after ?? '0');
    const rows = Math.min(EXPORT_PAGE_ROWS, total - from);
    return Promise.resolve(
      Array.from({ length: rows }, (_, index) => [`${from + index}`, `=note ${index}`, `${from + index + 1}`]),
    );
  };
  return { asked, read };
}

const whole = async (file: AsyncIterable<Buffer | string>): Promise<string> => {
  let content = '';
  for await (const chunk of file) content += chunk.toString();
  return content;
};

describe('a CSV export', () => {
  it('has a head, every row once and in order, and harmless texts', async () => {
    const total = 2 * EXPORT_PAGE_ROWS + 7;
    const { asked, read } = table(total);
    const lines = (await whole(await csvExport(columns, read))).split('\r\n');
    expect(lines[0]).toBe('number,note');
    expect(lines[1]).toBe(`0,'=note 0`);
    expect(lines.slice(1, -1).map((line) => Number(line.split(',')[0]))).toEqual([...Array(total).keys()]);
    expect(asked).toEqual([undefined, `${EXPORT_PAGE_ROWS}`, `${2 * EXPORT_PAGE_ROWS}`]);
  });

  it('asks once more after a page that is just full, and is a head alone of nothing', async () => {
    const full = table(EXPORT_PAGE_ROWS);
    expect((await whole(await csvExport(columns, full.read))).split('\r\n')).toHaveLength(EXPORT_PAGE_ROWS + 2);
    expect(await whole(await csvExport(columns, table(0).read))).toBe('number,note\r\n');
  });

  it('reads no further ahead than a few pages while nobody takes what was read', async () => {
    const { asked, read } = table();
    const file = await csvExport(columns, read);
    const chunks = file[Symbol.asyncIterator]();
    await chunks.next();
    await sleep(50);
    const ahead = asked.length;
    expect(ahead).toBeLessThanOrEqual(4);
    await sleep(50);
    expect(asked).toHaveLength(ahead);
    await chunks.return?.();
    await sleep(50);
    expect(asked.length).toBeLessThanOrEqual(ahead + 1);
    expect(file.destroyed).toBe(true);
  });

  it('fails before it begins where the first page cannot be read, and breaks off at a later fault', async () => {
    const fault = new Error('the database has gone');
    await expect(csvExport(columns, () => Promise.reject(fault))).rejects.toBe(fault);
    const { read } = table();
    const file = await csvExport(columns, (after) => (after === undefined ? read(after) : Promise.reject(fault)));
    await expect(whole(file)).rejects.toBe(fault);
  });
});
