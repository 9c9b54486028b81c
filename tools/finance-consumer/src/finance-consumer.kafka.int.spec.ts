import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import Papa from 'papaparse';
import { topicNames } from '@capability-router/contracts';
import type { Admin, Kafka, Producer } from '@capability-router/event-bus/kafka-client';
import { allTopics } from './streams.js';
import { createProducer, createTopics, testBrokers, testKafka } from './test-support/create-topics.js';
import { PublishedBooks, type Published } from './test-support/published-books.js';

const PROGRAM = fileURLToPath(new URL('../bin/finance-consumer.js', import.meta.url));
const SEND_AT_ONCE = 500;
const POLL_MS = 20;

interface Finished {
  readonly status: number | null;
  readonly report: {
    readonly complete: boolean;
    readonly totals: Record<string, Record<string, { count: number; amount: string }>>;
    readonly gaps: { count: number; first: unknown[] };
    readonly problems: { count: number; first: { detail: string; offset: string }[] };
    readonly balance_differences: { count: number; first: unknown[] };
  };
}

describe('the finance consumer', () => {
  let kafka: Kafka;
  let admin: Admin;
  let producer: Producer;
  let prefix: string;
  let folder: string;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    kafka = testKafka();
    admin = kafka.admin();
    await admin.connect();
  });
  afterAll(() => admin.disconnect());
  beforeEach(async () => {
    prefix = `finance-${randomUUID()}.`;
    folder = await mkdtemp(join(tmpdir(), 'finance-consumer-'));
    // A producer goes on asking for the topics that it knew.
    producer = createProducer(kafka, prefix);
    await producer.connect();
    await createTopics(
      admin,
      allTopics.map((topic) => `${prefix}${topic}`),
    );
  });
  afterEach(async () => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
    await producer.disconnect();
    await admin.deleteTopics({ topics: allTopics.map((topic) => `${prefix}${topic}`) });
    await rm(folder, { recursive: true, force: true });
  });

  /** As a relay publishes: in transactions, of which one before is aborted. */
  const publish = async (records: readonly Published[]): Promise<void> => {
    const aborted = await producer.transaction();
    await send(aborted, records.slice(0, 2));
    await aborted.abort();
    for (let start = 0; start < records.length; start += SEND_AT_ONCE) {
      const transaction = await producer.transaction();
      await send(transaction, records.slice(start, start + SEND_AT_ONCE));
      await transaction.commit();
    }
  };
  const send = (transaction: Pick<Producer, 'sendBatch'>, records: readonly Published[]): Promise<unknown> =>
    transaction.sendBatch({
      topicMessages: records.map(({ topic, ...message }) => ({ topic: `${prefix}${topic}`, messages: [message] })),
    });
  const everything = (books: PublishedBooks): Published[] => [
    ...books.entries,
    ...books.settlements,
    ...books.balances,
  ];

  const start = (...more: string[]): ChildProcess => {
    const common = [
      '--brokers',
      testBrokers(),
      '--output',
      folder,
      '--topic-prefix',
      prefix,
      '--flush-interval-ms',
      '200',
    ];
    const child = spawn(process.execPath, [PROGRAM, 'run', ...common, ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    return child;
  };
  const finish = async (child: ChildProcess): Promise<Finished> => {
    let [output, errors] = ['', ''];
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    // It may have ended before all that it wrote is read.
    const [status] = (await once(child, 'close')) as [number | null];
    running.delete(child);
    if (output === '') throw new Error(`exit status ${status}: ${errors}`);
    return { status, report: JSON.parse(output) as Finished['report'] };
  };
  const verify = (): Promise<Finished> =>
    finish(spawn(process.execPath, [PROGRAM, 'verify', '--output', folder], { stdio: ['ignore', 'pipe', 'pipe'] }));

  const filesOf = (stream: string, ending: string): string[] =>
    existsSync(join(folder, stream))
      ? readdirSync(join(folder, stream))
          .filter((file) => file.endsWith(ending))
          .sort()
          .map((file) => join(folder, stream, file))
      : [];
  const parquetRows = async (stream: string): Promise<Record<string, unknown>[]> => {
    const rows: Record<string, unknown>[] = [];
    for (const path of filesOf(stream, '.parquet')) {
      rows.push(...(await parquetReadObjects({ file: await asyncBufferFromFile(path) })));
    }
    return rows;
  };
  const csvRows = async (stream: string): Promise<Record<string, string>[]> => {
    const rows: Record<string, string>[] = [];
    for (const path of filesOf(stream, '.csv')) {
      const { data, errors } = Papa.parse<Record<string, string>>(await readFile(path, 'utf8'), {
        header: true,
        skipEmptyLines: true,
      });
      expect(errors).toEqual([]);
      rows.push(...data);
    }
    return rows;
  };
  const expectTotals = (report: Finished['report'], { totals }: PublishedBooks): void => {
    const sum = (stream: string, kind: string): [number, bigint] =>
      Object.entries(report.totals[stream] ?? {})
        .filter(([group]) => group.startsWith(kind))
        .reduce(([count, amount], [, one]) => [count + one.count, amount + BigInt(one.amount)], [0, 0n]);
    expect(sum('ledger-entries', 'grant_')[1]).toBe(totals.granted);
    expect(sum('ledger-entries', 'consume_')[1]).toBe(-totals.consumed);
    expect(sum('ledger-entries', '')[0]).toBe(totals.entries);
    expect(sum('usage-settlements', '')).toEqual([totals.settlements, totals.settled]);
  };

  it('writes every record once, as CSV and as Parquet, and says that nothing is missing', async () => {
    const books = new PublishedBooks();
    for (const account of ['acc_1', 'acc_2', 'acc_3', 'acc_4']) books.account(account, 60);
    await publish(everything(books));
    const { status, report } = await finish(start('--until-end', '--segment-rows', '97'));
    expect({ status, complete: report.complete }).toEqual({ status: 0, complete: true });
    expectTotals(report, books);
    expect((await verify()).status).toBe(0);

    const wanted = books.entries.map(
      ({ value }) => JSON.parse(value) as { entryId: string; amountMicroCredits: string },
    );
    const byId = (a: [string, string], b: [string, string]): number => (a[0] < b[0] ? -1 : 1);
    const amounts = wanted.map((entry): [string, string] => [entry.entryId, entry.amountMicroCredits]).sort(byId);
    const [csv, parquet] = [await csvRows('ledger-entries'), await parquetRows('ledger-entries')];
    const pairs = (rows: Record<string, unknown>[]): [string, string][] =>
      rows.map((row): [string, string] => [String(row['entry_id']), String(row['amount_micro_credits'])]).sort(byId);
    expect(pairs(csv)).toEqual(amounts);
    expect(pairs(parquet)).toEqual(amounts);
    // A text that a caller wrote reaches a spreadsheet as text, and Parquet as it was.
    expect(new Set(csv.map((row) => row['description']))).toEqual(new Set([`'=1+1, "quoted"\nand more`]));
    expect(new Set(parquet.map((row) => row['description']))).toEqual(new Set(['=1+1, "quoted"\nand more']));
    expect(parquet[0]).toMatchObject({ metadata: '{"nested":{"text":"ü"}}', execution_id: null });
    expect(parquet[0]?.['created_at']).toEqual(new Date('2025-11-21T04:40:00.000Z'));
  });

  it('killed in the middle, goes on where its files end: no record twice, none lost, the same totals', async () => {
    const books = new PublishedBooks();
    for (let account = 0; account < 20; account += 1) books.account(`acc_${account}`, 150);
    // A quarter before each of the kills, and one after them: however fast it reads, it cannot have read all by then.
    const quarter = (number: number): Published[] =>
      [books.entries, books.settlements, books.balances].flatMap((records) =>
        records.slice((records.length * number) / 4, (records.length * (number + 1)) / 4),
      );
    let kills = 0;
    for (; kills < 3; kills += 1) {
      // The second comes while it reads.
      if (kills !== 1) await publish(quarter(kills));
      const before = filesOf('ledger-entries', '.parquet').length;
      const child = start('--segment-rows', '50');
      if (kills === 1) await publish(quarter(kills));
      while (filesOf('ledger-entries', '.parquet').length < before + 3) {
        if (child.exitCode !== null) throw new Error(`the consumer ended with ${child.exitCode}`);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      child.kill('SIGKILL');
      await once(child, 'exit');
      running.delete(child);
    }
    const cutOff = (await parquetRows('ledger-entries')).length;
    expect(cutOff).toBeGreaterThan(0);
    expect(cutOff).toBeLessThan(books.totals.entries);
    await publish(quarter(3));
    const { status, report } = await finish(start('--until-end', '--segment-rows', '500'));
    expect({ status, complete: report.complete }).toEqual({ status: 0, complete: true });
    expectTotals(report, books);
    expect((await verify()).status).toBe(0);
    for (const stream of ['ledger-entries', 'usage-settlements']) {
      expect(await csvRows(stream)).toHaveLength((await parquetRows(stream)).length);
    }
    const ids = (await parquetRows('ledger-entries')).map((row) => row['entry_id']);
    expect(new Set(ids).size).toBe(books.totals.entries);
    expect(ids).toHaveLength(books.totals.entries);
    // Each time, the group waits for the session of the one that was killed to end.
  }, 300_000);

  it('passes over what is delivered twice, and over types that it does not know', async () => {
    const books = new PublishedBooks();
    books.account('acc_1', 20);
    const unknown = books.entries.map((entry) => ({ ...entry, headers: { ce_type: 'SomethingNewer' }, value: '{}' }));
    await publish([...everything(books), ...everything(books).slice(0, 30), ...unknown]);
    const { status, report } = await finish(start('--until-end'));
    expect({ status, complete: report.complete }).toEqual({ status: 0, complete: true });
    expectTotals(report, books);
  });

  it('names each number that is missing, and clears it when the record comes', async () => {
    const books = new PublishedBooks();
    books.account('acc_1', 30);
    const lost = [books.entries[4], books.entries[5], books.settlements[9]].filter((record) => record !== undefined);
    await publish(everything(books).filter((record) => !lost.includes(record)));
    const cut = await finish(start('--until-end'));
    expect({ status: cut.status, complete: cut.report.complete }).toEqual({ status: 1, complete: false });
    expect(cut.report.gaps).toEqual({
      count: 2,
      first: [
        { stream: 'ledger-entries', account_id: 'acc_1', from: 5, to: 6 },
        { stream: 'usage-settlements', account_id: 'acc_1', from: 10, to: 10 },
      ],
    });
    await publish(lost);
    const { status, report } = await finish(start('--until-end'));
    expect({ status, gaps: report.gaps.count, problems: report.problems.count }).toEqual({
      status: 0,
      gaps: 0,
      problems: 0,
    });
    expectTotals(report, books);
  });

  it('sees by the balances that the end of a ledger is missing', async () => {
    const books = new PublishedBooks();
    books.account('acc_1', 10);
    await publish([...books.entries.slice(0, -1), ...books.settlements, ...books.balances]);
    const { status, report } = await finish(start('--until-end'));
    expect({ status, gaps: report.gaps.count }).toEqual({ status: 1, gaps: 0 });
    expect(report.balance_differences).toMatchObject({
      count: 1,
      first: [
        { account_id: 'acc_1', balances_entry_seq: books.entries.length, read_entry_seq: books.entries.length - 1 },
      ],
    });
  });

  it('says of a record that is no event, or does not follow the one before it, where it is', async () => {
    const books = new PublishedBooks();
    books.account('acc_1', 5);
    const [first, second, ...rest] = books.entries as [Published, Published, ...Published[]];
    const forged = { ...second, value: second.value.replace(/"previousHash":"[0-9a-f]/, '"previousHash":"z') };
    const broken = { ...first, value: 'not json' };
    await publish([first, forged, ...rest, broken, ...books.settlements, ...books.balances]);
    const { status, report } = await finish(start('--until-end'));
    expect(status).toBe(1);
    expect(report.problems.first.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/does not follow the hash/),
      'the value is not a JSON object',
    ]);
    expect(report.gaps.count).toBe(0);
  });

  it('refuses to work beside another process in the same folder, and on topics that were created anew', async () => {
    const books = new PublishedBooks();
    books.account('acc_1', 30);
    await publish(everything(books));
    const first = start();
    while (filesOf('ledger-entries', '.csv').length === 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    await expect(finish(start('--until-end'))).rejects.toThrow(/exit status 2.*another process works in/s);
    first.kill('SIGTERM');
    expect((await finish(first)).status).toBe(0);

    const topic = `${prefix}${topicNames.ledgerEntries}`;
    await admin.deleteTopics({ topics: [topic] });
    await createTopics(admin, [topic]);
    await expect(finish(start('--until-end'))).rejects.toThrow(/exit status 2.*was it created anew/s);
  });
});
