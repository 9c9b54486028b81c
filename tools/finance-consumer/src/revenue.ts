import {
  coinDecimals,
  RevenueBook,
  type BookableEntry,
  type Period,
  type Revenue,
} from '@capability-router/billing/revenue';
import { snakeCase } from '@capability-router/contracts';
import { rowsOf } from './files/scan-files.js';
import { ledgerStream } from './streams.js';

/** The members of an entry that are told as they are. */
const textMembers = ['entryId', 'entryType', 'lots', 'paidAmount', 'paidCurrency'] as const;

/** The revenue of a period, from every ledger file in the folder, of one account where one is named. */
export async function revenueOf(folder: string, period: Period, accountId?: string): Promise<Revenue> {
  const book = new RevenueBook(period);
  const columns = [...textMembers, 'accountId', 'amountMicroCredits', 'createdAt'].map(snakeCase);
  for await (const row of rowsOf(folder, ledgerStream, columns))
    if (accountId === undefined || row['account_id'] === accountId) book.add(entryOf(row));
  return book.report(coinDecimals);
}

function entryOf(row: Readonly<Record<string, unknown>>): BookableEntry {
  const texts = textMembers.flatMap((member) => {
    const value = row[snakeCase(member)];
    return typeof value === 'string' ? [[member, value]] : [];
  });
  return {
    ...(Object.fromEntries(texts) as Pick<BookableEntry, 'entryId' | 'entryType'>),
    amountMicroCredits: String(row['amount_micro_credits']),
    createdAt: (row['created_at'] as Date).toISOString(),
  };
}
