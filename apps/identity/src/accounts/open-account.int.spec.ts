/** @postgres-versions Violated constraints are errors of the server. */
import { readStream } from '@capability-router/event-store';
import { newAccountId, parseCredits } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import type { Account } from './account.js';
import { insertAccount } from './insert-account.sql.js';
import { openAccount, type OpenAccount } from './open-account.js';

const nowMs = Date.UTC(2026, 0, 15, 10);
const command: OpenAccount = {
  kind: 'formal',
  name: 'Ada',
  grant: { category: 'welcome_bonus', amount: parseCredits('1000') },
  nowMs,
};

describe('opening an account', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const count = async (table: string): Promise<number> => {
    const { rows } = await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
    return rows[0]?.n ?? -1;
  };

  it('records the account and its AccountOpened, keyed by account, without personal data', async () => {
    const result = await inTransaction(database.pool, (tx) =>
      openAccount(tx, { ...command, email: ' Ada@Example.org ' }),
    );
    if (result.status !== 'opened') throw new Error(result.status);
    const events = await readStream(database.pool, result.accountId);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'AccountOpened',
      source: 'identity',
      sequence: 1,
      topic: 'internal.identity.accounts.v1',
      partitionKey: result.accountId,
      time: '2026-01-15T10:00:00.000Z',
      data: { kind: 'formal', initialGrantMicroCredits: '1000000000', grantCategory: 'welcome_bonus' },
    });
    // An account id is hexadecimal, and may well hold "ada".
    expect(JSON.stringify(events)).not.toMatch(/ada@|example\.org/i);
    const { rows } = await database.pool.query('SELECT email FROM accounts WHERE account_id = $1', [result.accountId]);
    expect(rows).toEqual([{ email: 'ada@example.org' }]);
  });

  it('is refused for the e-mail address alone, and fails for any other conflict', async () => {
    const account = { accountId: newAccountId(nowMs), kind: 'formal', name: 'Ada', openedAtMs: nowMs } as const;
    const insert = (change: Partial<Account>) =>
      inTransaction(database.pool, (tx) => insertAccount(tx, { ...account, ...change }));
    expect(await insert({ email: 'one@example.org' })).toBe(true);
    expect(await insert({ accountId: newAccountId(nowMs), email: 'one@example.org' })).toBe(false);
    await expect(insert({ email: 'two@example.org' })).rejects.toMatchObject({ constraint: 'accounts_pkey' });
    await expect(insert({})).rejects.toMatchObject({ constraint: 'accounts_pkey' });
  });

  it('stores an address as mail is sent to it, however its domain is written, and gives it to one account', async () => {
    const open = (email: string) => inTransaction(database.pool, (tx) => openAccount(tx, { ...command, email }));
    expect(await open(' User@BÜCHER.example')).toMatchObject({ status: 'opened', email: 'user@xn--bcher-kva.example' });
    for (const same of ['user@bücher.example', 'user@xn--bcher-kva.example']) {
      expect(await open(same)).toEqual({ status: 'email_taken' });
    }
    // As the release before stored it.
    const account = { kind: 'formal', name: 'Ada', openedAtMs: nowMs } as const;
    await inTransaction(database.pool, (tx) =>
      insertAccount(tx, { ...account, accountId: newAccountId(nowMs), email: 'user@größe.example' }),
    );
    expect(await open('user@xn--gre-6ka8i.example')).toEqual({ status: 'email_taken' });
    // Longer in ASCII than a row has room for.
    const long = `${'a'.repeat(60)}@${Array.from({ length: 8 }, () => 'ü'.repeat(22)).join('.')}.example`;
    expect((await open(long)).status).toBe('opened');
  });

  it('leaves neither account nor event when the transaction fails after both', async () => {
    const before = [await count('accounts'), await count('events')];
    await expect(
      inTransaction(database.pool, async (tx) => {
        await openAccount(tx, command);
        throw new Error('the process died here');
      }),
    ).rejects.toThrow('the process died here');
    expect([await count('accounts'), await count('events')]).toEqual(before);
  });

  it('gives an e-mail address to one of many concurrent requests', async () => {
    const attempts = Array.from({ length: 10 }, (_, i) =>
      inTransaction(database.pool, (tx) => openAccount(tx, { ...command, email: i % 2 ? 'b@x.org' : 'B@X.org' })),
    );
    const statuses = (await Promise.all(attempts)).map((result) => result.status);
    expect(statuses.filter((status) => status === 'opened')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'email_taken')).toHaveLength(9);
  });
});
