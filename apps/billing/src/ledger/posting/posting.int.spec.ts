/** @postgres-versions Who waits for which lock is up to the server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsFromMicro, ManualClock, newAccountId, toIso, type AccountId } from '@capability-router/kernel';
import { checkInvariants } from '../../invariants/check-invariants.js';
import { digestTables } from '../../test-support/digest-tables.js';
import { MoneyAccount } from '../../test-support/money-account.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../../test-support/scratch-database.js';
import type { Movement } from '../domain/entry.js';
import { Posting } from './posting.js';

const NOW = 1_763_700_000_000;
const WELCOME = 1_000n;

const movement = <T extends Movement['entryType']>(entryType: T): Movement<T> => ({
  entryType,
  sourceSystem: 'admin',
  sourceRefType: 'refund',
  sourceRefId: 'test',
  executionId: null,
  description: 'test',
  metadata: {},
  preSettlementBill: null,
  settlementResult: null,
  effectiveAt: toIso(NOW),
});

describe('a posting', () => {
  const clock = new ManualClock(NOW);
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const account = (): Promise<MoneyAccount> => MoneyAccount.open(database.pool, clock, WELCOME);
  const posting = <T>(accounts: AccountId[], work: (posting: Posting) => Promise<T>): Promise<T> =>
    inTransaction(database.pool, async (tx) => work(await Posting.openKnown(tx, accounts, clock)));
  const micro = (amount: bigint) => creditsFromMicro(amount);
  const untilOneWaits = async (): Promise<void> => {
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await database.pool.query(waiting)).rowCount === 0);
  };

  it('touches balances last: a hold goes on while everything else is written', async () => {
    const paying = await account();
    await posting([paying.accountId], async (open) => {
      open.burn(paying.accountId, movement('consume_correction'), micro(300n));
      await open.write(async () => {
        expect((await paying.hold(700n)).status).toBe('held');
      });
    });
    expect(await paying.balance()).toEqual({ balance: 700, held: 700 });
    expect(await checkInvariants(database.pool)).toEqual([]);
  });

  it('writes nothing where a hold took what it had counted on', async () => {
    const paying = await account();
    const before = await paying.entries();
    const overtaken = posting([paying.accountId], async (open) => {
      open.burn(paying.accountId, movement('consume_correction'), micro(301n));
      await open.write(async () => {
        await paying.hold(700n);
      });
    });
    await expect(overtaken).rejects.toMatchObject({ constraint: 'available_never_negative' });
    expect(await paying.entries()).toEqual(before);
    expect(await checkInvariants(database.pool)).toEqual([]);
  });

  it('waits for another posting of the same account, and goes on where that one ended', async () => {
    const paying = await account();
    const order: string[] = [];
    let second: Promise<unknown> = Promise.resolve();
    await posting([paying.accountId], async (first) => {
      second = posting([paying.accountId], async (open) => {
        order.push(`second sees ${open.available(paying.accountId)}`);
        open.burn(paying.accountId, movement('consume_correction'), micro(10n));
        await open.write();
      });
      await untilOneWaits();
      first.burn(paying.accountId, movement('consume_correction'), micro(400n));
      await first.write();
      order.push('first has written');
    });
    await second;
    expect(order).toEqual(['first has written', 'second sees 600']);
    expect(await paying.lots()).toEqual([590]);
  });

  it('gives every entry the sign of its type, and refuses what moves nothing', async () => {
    const paying = await account();
    const before = await digestTables(database.pool);
    const { accountId } = paying;
    for (const amount of [0n, -5n]) {
      const refused = posting([accountId], (open) =>
        Promise.resolve(open.burn(accountId, movement('consume_correction'), amount as never)),
      );
      await expect(refused).rejects.toThrow('moves nothing');
    }
    expect(await digestTables(database.pool)).toEqual(before);
    const taken = await posting([accountId], async (open) => {
      const entry = open.burn(accountId, movement('consume_correction'), micro(250n));
      await open.write();
      return entry;
    });
    await posting([accountId], async (open) => {
      await open.restore(accountId, movement('grant_correction'), micro(50n), taken.entryId);
      await open.write();
    });
    expect((await paying.entries()).slice(-2)).toEqual([
      ['consume_correction', -250],
      ['grant_correction', 50],
    ]);
  });

  it('takes nothing of an account whose lots it has not read, nor of one that it has just granted to', async () => {
    const { accountId } = await account();
    const unread = inTransaction(database.pool, async (tx) =>
      (await Posting.open(tx, [accountId], clock)).charge(accountId, movement('consume_tool_execute'), micro(1n)),
    );
    await expect(unread).rejects.toThrow('are not read');
    const granted = posting([accountId], (open) => {
      const lot = { category: 'purchased', expiresAt: null, grantRef: 'test:granted' };
      open.grant(accountId, movement('grant_correction'), micro(5n), lot);
      return Promise.resolve(open.charge(accountId, movement('consume_tool_execute'), micro(1n)));
    });
    await expect(granted).rejects.toThrow('are not read');
  });

  it('posts to no account that it has not locked', async () => {
    const [locked, other] = [await account(), newAccountId(NOW)];
    const stray = posting([locked.accountId, other], (open) => Promise.resolve(open.nextSettlement(other)));
    await expect(stray).rejects.toThrow('is not locked');
  });
});
