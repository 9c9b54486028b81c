import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { addTo, type Tally } from '../records/totals.js';
import type { Stream } from '../streams.js';
import { snakeCase } from '@capability-router/contracts';

export interface ScanFilter {
  readonly accountId?: string;
  /** Milliseconds since 1970, both included; of `created_at` in the ledger, `settled_at` in settlements. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** Control totals by reading every Parquet file of a stream, one after another. */
export async function scanTotals(folder: string, stream: Stream, filter: ScanFilter): Promise<Map<string, Tally>> {
  const time = stream.name === 'ledger-entries' ? 'created_at' : 'settled_at';
  const [group, amount] = [snakeCase(stream.group), snakeCase(stream.amount)];
  const totals = new Map<string, Tally>();
  for await (const row of rowsOf(folder, stream, ['account_id', time, group, amount])) {
    if (filter.accountId !== undefined && row['account_id'] !== filter.accountId) continue;
    const at = (row[time] as Date).getTime();
    if (at < (filter.fromMs ?? -Infinity) || at > (filter.toMs ?? Infinity)) continue;
    addTo(totals, String(row[group]), BigInt(row[amount] as bigint));
  }
  return totals;
}

/** These columns of every row, file after file: one file is in memory. */
export async function* rowsOf(
  folder: string,
  stream: Stream,
  columns: string[],
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const files = (await readdir(join(folder, stream.name))).filter((file) => file.endsWith('.parquet')).sort();
  for (const name of files) {
    const file = await asyncBufferFromFile(join(folder, stream.name, name));
    yield* await parquetReadObjects({ file, columns });
  }
}
