import { readStream } from '@capability-router/event-store';
import { inTransaction } from '@capability-router/service-kit';
import { ManualClock, parseCredits } from '@capability-router/kernel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openAccount } from '../accounts/open-account.js';
import { issueApiKey } from '../api-keys/issue-api-key.js';
import { verifyCredential } from '../api-keys/verify-credential.js';
import { ensureDemoAccounts } from '../bootstrap/ensure-demo-accounts.js';
import { clientNetworkOf } from '../trial-agents/client-network.js';
import { TrialRegistrations } from '../trial-agents/trial-registrations.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { eraseAccount, type EraseAccountResult } from './erase-account.js';

const nowMs = Date.UTC(2026, 0, 15, 10);
const grant = { category: 'welcome_bonus', amount: parseCredits('1000') } as const;

describe('erasing an account', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const open = async (email: string): Promise<string> => {
    const result = await inTransaction(database.pool, (tx) =>
      openAccount(tx, { kind: 'formal', name: 'Ada Lovelace', email, grant, nowMs }),
    );
    if (result.status !== 'opened') throw new Error(result.status);
    return result.accountId;
  };
  const issue = async (accountId: string, expiresAtMs?: number): Promise<string> => {
    const expiry = expiresAtMs === undefined ? {} : { expiresAtMs };
    const result = await inTransaction(database.pool, (tx) =>
      issueApiKey(tx, { accountId, name: 'laptop', scopes: ['call'], nowMs, ...expiry }),
    );
    if (result.status !== 'issued') throw new Error(result.status);
    return result.apiKey;
  };
  const erase = (accountId: string, atMs = nowMs): Promise<EraseAccountResult> =>
    inTransaction(database.pool, (tx) => eraseAccount(tx, accountId, atMs));
  const typesOf = async (accountId: string): Promise<string[]> =>
    (await readStream(database.pool, accountId)).map((event) => event.type);

  /** Every row of every table but the events, as text. */
  const everything = async (): Promise<string> => {
    const { rows } = await database.pool.query<{ text: string }>(
      `SELECT concat(
         (SELECT json_agg(a) FROM accounts a), (SELECT json_agg(k) FROM api_keys k),
         (SELECT json_agg(t) FROM trial_agents t), (SELECT json_agg(b) FROM bootstrap_accounts b)) AS text`,
    );
    return rows[0]?.text ?? '';
  };

  it('leaves nothing of the person, ends the keys and records it, keys first', async () => {
    const accountId = await open('ada@example.org');
    const key = await issue(accountId);
    await issue(accountId, nowMs - 1);
    expect(await everything()).toMatch(/Lovelace.*ada@example\.org|ada@example\.org.*Lovelace/s);
    expect(await erase(accountId)).toEqual({ status: 'erased', erasedAtMs: nowMs });
    expect(await everything()).not.toMatch(/Lovelace|ada@|laptop/);
    expect(await everything()).toContain(accountId);
    expect(await verifyCredential(database.pool, key, { maxCallCredits: grant.amount }, nowMs)).toEqual({
      valid: false,
    });
    expect(await typesOf(accountId)).toEqual([
      'AccountOpened',
      'ApiKeyIssued',
      'ApiKeyIssued',
      'ApiKeyRevoked',
      'ApiKeyRevoked',
      'AccountErased',
    ]);
  });

  it('changes nothing the second time and answers as the first', async () => {
    const accountId = await open('grace@example.org');
    await erase(accountId);
    const events = await typesOf(accountId);
    expect(await erase(accountId, nowMs + 60_000)).toEqual({ status: 'already_erased', erasedAtMs: nowMs });
    expect(await typesOf(accountId)).toEqual(events);
  });

  it('lets one of several at the same time record it', async () => {
    const accountId = await open('many@example.org');
    const results = await Promise.all(Array.from({ length: 8 }, () => erase(accountId)));
    expect(results.filter(({ status }) => status === 'erased')).toHaveLength(1);
    expect(await typesOf(accountId)).toEqual(['AccountOpened', 'AccountErased']);
  });

  it('gives the e-mail address free, and the account no key any more', async () => {
    const accountId = await open('again@example.org');
    await erase(accountId);
    expect(await open('again@example.org')).not.toBe(accountId);
    const command = { accountId, name: 'late', scopes: ['call'] as const, nowMs };
    expect(await inTransaction(database.pool, (tx) => issueApiKey(tx, command))).toEqual({
      status: 'account_not_active',
    });
  });

  it('removes a trial agent, its claim code and what it said of itself, of which its events hold nothing', async () => {
    const client = clientNetworkOf('192.0.2.9');
    if (client === undefined) throw new Error('the address is fine');
    const policy = {
      trialCredits: grant.amount,
      trialDays: 7,
      welcomeBonus: grant.amount,
      perAddressPerDay: 5,
      perNetworkPerDay: 5,
      dailyBudget: parseCredits('5000'),
    };
    const registered = await new TrialRegistrations(database.pool, { policy }).register({
      agentName: 'scout of Ada',
      model: 'model-x',
      purpose: 'to find out',
      client,
      nowMs,
    });
    if (registered.status !== 'registered') throw new Error(registered.status);
    const { accountId } = registered.agent;
    expect(await everything()).toMatch(/scout of Ada/);
    await erase(accountId);
    expect(await everything()).not.toMatch(/scout of Ada|model-x|to find out/);
    expect(JSON.stringify(await readStream(database.pool, accountId))).not.toMatch(/scout|model-x|to find out/);
  });

  it('knows no account that never was', async () => {
    expect(await erase(`acc_${'0'.repeat(32)}`)).toEqual({ status: 'unknown_account' });
  });

  it('leaves every row as it was when the transaction fails', async () => {
    const accountId = await open('kept@example.org');
    const before = await everything();
    await expect(
      inTransaction(database.pool, async (tx) => {
        await eraseAccount(tx, accountId, nowMs);
        throw new Error('the process died here');
      }),
    ).rejects.toThrow('the process died here');
    expect(await everything()).toBe(before);
    expect(await typesOf(accountId)).toEqual(['AccountOpened']);
  });

  it('has a bootstrap account replaced when its key is issued again', async () => {
    const clock = new ManualClock(nowMs);
    const config = { demoCredits: grant.amount };
    await ensureDemoAccounts(database.pool, clock, config);
    const demo = async (): Promise<string> => {
      const sql = `SELECT account_id FROM bootstrap_accounts WHERE role = 'demo'`;
      const { rows } = await database.pool.query<{ account_id: string }>(sql);
      return rows[0]?.account_id ?? 'none';
    };
    const first = await demo();
    await erase(first);
    expect(await ensureDemoAccounts(database.pool, clock, config)).toBeUndefined();
    const keys = await ensureDemoAccounts(database.pool, clock, config, { reissue: true });
    expect(await demo()).not.toBe(first);
    expect(
      await verifyCredential(database.pool, keys?.apiKey ?? '', { maxCallCredits: grant.amount }, nowMs),
    ).toMatchObject({ valid: true });
  });
});
