import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { scanTotals } from './files/scan-files.js';
import { Recorder, type Delivered } from './recorder.js';
import { sameTotals } from './records/totals.js';
import { report } from './report.js';
import { ledgerStream } from './streams.js';
import { PublishedBooks } from './test-support/published-books.js';

describe('the files and the state of the finance consumer', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'finance-recorder-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const books = new PublishedBooks();
  books.account('acc_1', 40);
  const delivered = books.entries.map(({ topic, headers, value }, index): Delivered => ({
    topic,
    partition: 0,
    offset: String(index),
    type: headers['ce_type'],
    value: Buffer.from(value),
  }));
  const fileOf = (segment: number, format: string): string =>
    join(folder, ledgerStream.name, `${ledgerStream.name}-${String(segment).padStart(8, '0')}.${format}`);
  const open = (): Promise<Recorder> => Recorder.open(folder, { segmentRows: 10 });

  it('what was taken and not stored is taken again after a crash', async () => {
    const before = await open();
    await before.take(delivered.slice(0, 15));
    expect(before.next(ledgerStream.topic, 0)).toBe(15n);
    await before.state.close();
    const after = await open();
    expect(after.next(ledgerStream.topic, 0)).toBe(10n);
    await after.take(delivered.slice(10));
    await after.flush();
    expect(await report(after.state)).toMatchObject({ complete: true });
    const scanned = await scanTotals(folder, ledgerStream, {});
    expect(sameTotals(scanned, await after.state.totals(ledgerStream.name))).toBe(true);
    expect([...scanned.values()].reduce((sum, { count }) => sum + count, 0)).toBe(books.totals.entries);
    await after.state.close();
  });

  it('files that were stored and not named get their names, and others go', async () => {
    const before = await open();
    await before.take(delivered.slice(0, 20));
    await before.state.close();
    // The moments before the second of two files was named, and after the files of a third segment were written.
    await rename(fileOf(2, 'parquet'), `${fileOf(2, 'parquet')}.unfinished`);
    for (const format of ['csv', 'parquet']) await writeFile(`${fileOf(3, format)}.unfinished`, 'half of a seg');
    const after = await open();
    expect(existsSync(fileOf(2, 'parquet'))).toBe(true);
    expect(readdirSync(join(folder, ledgerStream.name))).toHaveLength(4);
    await after.take(delivered.slice(20));
    await after.flush();
    const scanned = await scanTotals(folder, ledgerStream, {});
    expect(sameTotals(scanned, await after.state.totals(ledgerStream.name))).toBe(true);
    await after.state.close();
  });

  it('nothing is stored where a file cannot be written', async () => {
    const before = await open();
    await before.take(delivered.slice(0, 10));
    await rm(join(folder, ledgerStream.name), { recursive: true });
    await expect(before.take(delivered.slice(10, 20))).rejects.toThrow(/ENOENT/);
    await before.state.close();
    const after = await open();
    expect(after.next(ledgerStream.topic, 0)).toBe(10n);
    await after.state.close();
  });

  it('totals of files can be of one account and of days', async () => {
    const recorder = await open();
    await recorder.take(delivered);
    await recorder.flush();
    const count = async (filter: Parameters<typeof scanTotals>[2]): Promise<number> =>
      [...(await scanTotals(folder, ledgerStream, filter)).values()].reduce((sum, tally) => sum + tally.count, 0);
    const at = Date.parse('2025-11-21T04:40:00.000Z');
    expect(await count({ accountId: 'acc_1', fromMs: at, toMs: at })).toBe(books.totals.entries);
    expect(await count({ accountId: 'acc_2' })).toBe(0);
    expect(await count({ fromMs: at + 1 })).toBe(0);
    expect(await count({ toMs: at - 1 })).toBe(0);
    await recorder.state.close();
  });
});
