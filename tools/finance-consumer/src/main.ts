import { missingOf, monthOf, revenueJson, type Period } from '@capability-router/billing/revenue';
import { Command, InvalidArgumentError } from 'commander';
import { consume } from './consume.js';
import { scanTotals } from './files/scan-files.js';
import { kafkaConnection } from './kafka-connection.js';
import { Recorder } from './recorder.js';
import { ledgerSummary, sameTotals, totalsToJson } from './records/totals.js';
import { report } from './report.js';
import { revenueOf } from './revenue.js';
import { State } from './state/state.js';
import { ledgerStream, streams } from './streams.js';

const DEFAULT_SEGMENT_ROWS = 10_000;
const MAX_SEGMENT_ROWS = 100_000;
const DEFAULT_FLUSH_INTERVAL_MS = 5_000;
const DAY_MS = 86_400_000;

const program = new Command('finance-consumer').description(
  'Reads the public billing topics into CSV and Parquet files.',
);
const folderOption = ['-o, --output <folder>', 'where the files and the state are'] as const;

program
  .command('run')
  .description('reads and writes until it is told to end; exit status 1 where something is missing or wrong')
  .requiredOption('-b, --brokers <list>', 'Kafka brokers, host:port, separated by commas')
  .requiredOption(...folderOption)
  .option('--topic-prefix <text>', 'what comes before the names of the topics, where they are mirrored', '')
  .option('--until-end', 'end when everything was read that the topics hold now')
  .option(
    '--segment-rows <n>',
    'rows in memory, and in a file at most',
    between(1, MAX_SEGMENT_ROWS),
    DEFAULT_SEGMENT_ROWS,
  )
  .option(
    '--flush-interval-ms <n>',
    'milliseconds after which what was read is written',
    between(100, 3_600_000),
    DEFAULT_FLUSH_INTERVAL_MS,
  )
  .action(async (options: RunOptions) => {
    const abort = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort());
    const recorder = await Recorder.open(options.output, { segmentRows: options.segmentRows });
    try {
      await consume(recorder, {
        kafka: kafkaConnection(options.brokers, process.env),
        topicPrefix: options.topicPrefix,
        flushIntervalMs: options.flushIntervalMs,
        untilEnd: options.untilEnd === true,
        signal: abort.signal,
      });
      const found = await report(recorder.state);
      print(found);
      if (!found.complete) process.exitCode = 1;
    } finally {
      await recorder.state.close();
    }
  });

program
  .command('verify')
  .description('reads the files again: totals, gaps, balances; exit status 1 where something is missing or wrong')
  .requiredOption(...folderOption)
  .action(async ({ output }: { output: string }) => {
    const state = await State.open(output);
    try {
      const found = await report(state);
      const files: Record<string, unknown> = {};
      let same = true;
      for (const stream of streams) {
        const scanned = await scanTotals(output, stream, {});
        files[stream.name] = totalsToJson(scanned);
        same &&= sameTotals(scanned, await state.totals(stream.name));
      }
      print({ ...found, complete: found.complete && same, totals_of_files: files });
      if (!found.complete || !same) process.exitCode = 1;
    } finally {
      await state.close();
    }
  });

program
  .command('totals')
  .description('control totals of the ledger files, with the members of the ledger summary of the HTTP API')
  .requiredOption(...folderOption)
  .option('--account <id>', 'of one account')
  .option('--start-date <day>', 'first UTC day of created_at, YYYY-MM-DD', day)
  .option('--end-date <day>', 'last UTC day of created_at, YYYY-MM-DD, to its end', day)
  .action(async (options: { output: string; account?: string; startDate?: number; endDate?: number }) => {
    const totals = await scanTotals(options.output, ledgerStream, {
      ...(options.account === undefined ? {} : { accountId: options.account }),
      ...(options.startDate === undefined ? {} : { fromMs: options.startDate }),
      ...(options.endDate === undefined ? {} : { toMs: options.endDate + DAY_MS - 1 }),
    });
    print(ledgerSummary(totals));
  });

program
  .command('revenue')
  .description(
    'deferred, recognised and expired credits of a month and their money, from the ledger files; as caprouter finance revenue',
  )
  .requiredOption(...folderOption)
  .requiredOption('--month <month>', 'YYYY-MM, of UTC, by when entries were booked', month)
  .option('--account <id>', 'of one account; without it of all')
  .action(async (options: { output: string; month: Period; account?: string }) => {
    const revenue = await revenueOf(options.output, options.month, options.account);
    if (options.account !== undefined && revenue.entries === 0) {
      console.error(
        `the files have no entry of account ${options.account} up to the end of that month. Compare the id.`,
      );
      process.exitCode = 1;
      return;
    }
    print(revenueJson(revenue));
    const missing = missingOf(revenue);
    if (missing === undefined) return;
    console.error(`${missing}. Read the topic from its beginning into another folder, and run verify there.`);
    process.exitCode = 1;
  });

interface RunOptions {
  readonly brokers: string;
  readonly output: string;
  readonly topicPrefix: string;
  readonly untilEnd?: boolean;
  readonly segmentRows: number;
  readonly flushIntervalMs: number;
}

function between(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`a whole number from ${min} to ${max}`);
  };
}

function month(text: string): Period {
  const period = monthOf(text);
  if (period === undefined) throw new InvalidArgumentError('a month, YYYY-MM');
  return period;
}

function day(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('a day, YYYY-MM-DD');
  return ms;
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

await program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
});
