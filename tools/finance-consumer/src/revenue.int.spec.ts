import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { missingOf, monthOf, revenueJson, type Revenue } from '@capability-router/billing/revenue';
import { Recorder } from './recorder.js';
import { revenueOf } from './revenue.js';
import { ledgerStream } from './streams.js';
import { PublishedBooks } from './test-support/published-books.js';

const program = fileURLToPath(new URL('../bin/finance-consumer.js', import.meta.url));

interface Told {
  readonly lots?: string;
  readonly paidAmount?: string;
  readonly paidCurrency?: string;
}

/** One lot, which every entry of an account moves; its grant was paid for. */
const toldOf = (entryId: string, lotId: string, amount: string): Told => ({
  lots: JSON.stringify([{ lot_id: lotId, category: 'purchased', amount_micro_credits: amount }]),
  ...(entryId === lotId ? { paidAmount: '10.00', paidCurrency: 'EUR' } : {}),
});

describe('the revenue of a month from the files of the finance consumer', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'finance-revenue-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Writes two accounts with a grant of 1,000 credits each, and 5 and 2 calls. */
  async function recorded(tell: typeof toldOf | undefined): Promise<void> {
    const books = new PublishedBooks();
    books.account('acc_1', 5);
    books.account('acc_2', 2);
    const lots = new Map<string, string>();
    const recorder = await Recorder.open(folder, { segmentRows: 3 });
    const entries = books.entries.map(({ value }) => JSON.parse(value) as Record<string, string>);
    await recorder.take(
      entries.map((entry, index) => {
        const { accountId = '', entryId = '', amountMicroCredits = '' } = entry;
        if (!lots.has(accountId)) lots.set(accountId, entryId);
        const more = tell?.(entryId, lots.get(accountId) ?? '', amountMicroCredits) ?? {};
        const value = Buffer.from(JSON.stringify({ ...entry, ...more }));
        return { topic: ledgerStream.topic, partition: 0, offset: String(index), type: 'LedgerEntryRecorded', value };
      }),
    );
    await recorder.flush();
    await recorder.state.close();
  }
  const revenue = async (month: string, account?: string): Promise<Revenue> => {
    const period = monthOf(month);
    if (period === undefined) throw new Error(`${month} is no month`);
    return revenueOf(folder, period, account);
  };

  it('has the lines that caprouter tells, of all accounts and of one', async () => {
    await recorded(toldOf);
    const none = { opening: '0', refunded: '0', expired: '0', returned: '0', corrected: '0' };
    // Every third call is free; the others cost 1,001 micro-credits times their number.
    expect(revenueJson(await revenue('2025-11'))).toEqual({
      entries: 8,
      ledger_credits: '1999.984985',
      credits: { purchased: { ...none, granted: '2000', used: '0.015015', closing: '1999.984985' } },
      money: { EUR: { ...none, granted: '20', used: '0', closing: '20', rounding: '0' } },
    });
    expect(revenueJson(await revenue('2025-11', 'acc_2'))).toMatchObject({ entries: 3, ledger_credits: '999.996997' });
    expect(revenueJson(await revenue('2025-12', 'acc_2'))).toMatchObject({
      credits: { purchased: { ...none, opening: '999.996997', granted: '0', used: '0', closing: '999.996997' } },
    });
    expect(missingOf(await revenue('2025-11'))).toBeUndefined();
  });

  it('is none of an account that the files do not have, which is no revenue of 0', async () => {
    await recorded(toldOf);
    const told = async (account: string): Promise<{ code: number; said: string; printed: string }> => {
      const child = spawn(
        process.execPath,
        [program, 'revenue', '--output', folder, '--month', '2025-11', '--account', account],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      const [printed, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      return { code: Number(code), said, printed };
    };
    const unknown = { code: 1, printed: '', said: expect.stringContaining('no entry of account acc_3') };
    expect(await told('acc_3')).toEqual(unknown);
    expect(await told('acc_2')).toMatchObject({ code: 0, said: '', printed: expect.stringContaining('"entries": 3') });
  });

  it('says what it leaves out where records are of before entries told their lots', async () => {
    await recorded(undefined);
    expect(missingOf(await revenue('2025-11'))).toContain('8 entries do not tell their lots');
  });
});
