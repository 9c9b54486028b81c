import type { LedgerEntryRecorded } from '@capability-router/contracts';
import type pg from 'pg';
import { ledgerOutbox } from '../ledger/ledger-outbox.js';

const READ_PAGE = 1_000;

/** One lot in what an entry publishes. */
export interface PublishedLot {
  readonly lot_id: string;
  readonly category: string;
  readonly amount_micro_credits: string;
}

export const publishedLotsOf = ({ lots }: LedgerEntryRecorded): PublishedLot[] =>
  JSON.parse(lots ?? '[]') as PublishedLot[];

/** Every entry as the topic of the ledger has it, in its order. */
export async function publishedLedger(pool: pg.Pool): Promise<LedgerEntryRecorded[]> {
  const entries: LedgerEntryRecorded[] = [];
  for (let position = ''; ;) {
    const page = await ledgerOutbox.readAfter(pool, position, READ_PAGE);
    if (page.events.length === 0) return entries;
    entries.push(...page.events.map(({ data }) => data as unknown as LedgerEntryRecorded));
    position = page.position;
  }
}

/** Entries whose published lots do not add up to them, and lots of which the published entries leave another remainder. */
export async function unsoundLots(pool: pg.Pool): Promise<string[]> {
  const left = new Map<string, bigint>();
  const unsound: string[] = [];
  for (const entry of await publishedLedger(pool)) {
    let sum = 0n;
    for (const { lot_id: lotId, category, amount_micro_credits: amount } of publishedLotsOf(entry)) {
      const lot = `${entry.accountId} ${lotId} ${category}`;
      left.set(lot, (left.get(lot) ?? 0n) + BigInt(amount));
      sum += BigInt(amount);
    }
    if (sum !== BigInt(entry.amountMicroCredits)) unsound.push(entry.entryId);
  }
  const { rows } = await pool.query<{ lot: string; remaining: string }>(
    `SELECT account_id || ' ' || lot_id || ' ' || category AS lot, remaining_micro AS remaining FROM credit_lots`,
  );
  for (const { lot, remaining } of rows) {
    if (left.get(lot)?.toString() !== remaining) unsound.push(lot);
    left.delete(lot);
  }
  return [...unsound, ...left.keys()];
}
