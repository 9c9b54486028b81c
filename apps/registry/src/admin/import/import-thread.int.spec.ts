import { readdirSync, readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, toIso } from '@capability-router/kernel';
import pino from 'pino';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { providerDocument, toolDocument } from '../test-support/sample-manifest.js';
import { ImportCatalogue } from './import-catalogue.js';

const NOW_MS = Date.parse('2026-03-04T05:06:07Z');
const options = { format: 'ndjson', dryRun: false } as const;

const rowsOf = (provider: string, tools: number): string[] => [
  JSON.stringify(providerDocument({ provider_id: provider, tools: [], categories: [] })),
  ...Array.from({ length: tools }, (_, n) =>
    JSON.stringify(
      toolDocument({ kind: 'tool', provider_id: provider, tool_id: `${provider}.weather.now_${n}.v1`, categories: [] }),
    ),
  ),
];
/** A chunk for each row. */
async function* chunksOf(rows: readonly string[]): AsyncGenerator<Buffer> {
  for (const row of rows) yield Buffer.from(`${row}\n`);
}

describe('imports in a thread', () => {
  let database: ScratchDatabase;
  let imports: ImportCatalogue;
  let commits = 0;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(() => {
    commits = 0;
    const committed = () => void (commits += 1);
    const config = { databaseUrl: database.url };
    imports = new ImportCatalogue(config, new ManualClock(NOW_MS), committed, pino({ level: 'silent' }));
  });
  afterEach(() => imports.onApplicationShutdown());

  const report = async (rows: readonly string[]): Promise<Record<string, unknown>[]> => {
    const lines: Record<string, unknown>[] = [];
    for await (const line of imports.run(chunksOf(rows), options)) lines.push({ ...line });
    return lines;
  };
  const thread = (): Worker => Reflect.get(Reflect.get(imports, 'thread') as object, 'thread') as Worker;

  it('report each row of its own, two at once, and stamp by the time of the service', async () => {
    const [one, two] = await Promise.all([report(rowsOf('thra', 700)), report(rowsOf('thrb', 20))]);
    expect(one.map(({ row }) => row)).toEqual([...Array.from({ length: 701 }, (_, n) => n + 1), undefined]);
    expect(one.at(-1)).toMatchObject({ summary: { rows: 701, results: { created: 701 } } });
    expect(two.at(-1)).toMatchObject({ summary: { rows: 21, results: { created: 21 } } });
    expect(commits).toBeGreaterThanOrEqual(4);
    const { rows } = await database.pool.query<{ changed_at: Date }>('SELECT DISTINCT changed_at FROM tools');
    expect(rows.map((row) => toIso(row.changed_at.getTime()))).toEqual([toIso(NOW_MS)]);
  });

  it('give way to the threads of requests', async () => {
    if (process.platform !== 'linux') return;
    await report(rowsOf('thrc', 1));
    const niceOf = (task: string): number => {
      const stat = readFileSync(`/proc/self/task/${task}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]);
    };
    const own = niceOf(String(process.pid));
    expect(
      readdirSync('/proc/self/task')
        .map(niceOf)
        .filter((nice) => nice > own),
    ).toHaveLength(1);
  });

  it('break off where the thread ends, and work again in another one', async () => {
    const running = imports.run(chunksOf(rowsOf('thrd', 1_300)), options);
    await running.next();
    await thread().terminate();
    await expect(async () => {
      for await (const _line of running);
    }).rejects.toThrow('the thread of imports ended');
    expect((await report(rowsOf('thrd', 1_300))).at(-1)).toMatchObject({ summary: { rows: 1_301 } });
  });

  it('report what came of the rows before the thread ended, and then that it did', async () => {
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from('{}\n');
      // The thread does one thing after the other: the row is read by now.
      await report(rowsOf('thrg', 1));
      await thread().terminate();
      yield Buffer.from('{}\n');
    }
    const lines: object[] = [];
    await expect(async () => {
      for await (const line of imports.run(chunks(), options)) lines.push(line);
    }).rejects.toThrow('the thread of imports ended');
    expect(lines).toMatchObject([{ row: 1, result: 'invalid' }]);
  });

  it('are left by whoever reads no further, and others go on', async () => {
    for await (const _line of imports.run(chunksOf(rowsOf('thre', 1_300)), options)) break;
    expect((await report(rowsOf('thrf', 1))).at(-1)).toMatchObject({ summary: { results: { created: 2 } } });
  });
});
