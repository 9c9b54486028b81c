import { readStream } from '@capability-router/event-store';
import { parseCredits } from '@capability-router/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyCredential } from '../api-keys/verify-credential.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { hashClaimCode } from './claim-code.js';
import { clientNetworkOf } from './client-network.js';
import { purgeRegistrationCounters } from './purge-counters.js';
import { newTrial } from './new-trial.js';
import { registerTrials, type RegisterTrialAgentResult } from './register-trials.js';
import { DAY_MS } from './registration-caps.js';
import { TrialRegistrations } from './trial-registrations.js';

const nowMs = Date.UTC(2026, 0, 15, 23, 59, 50);
const policy = {
  welcomeBonus: parseCredits('1000'),
  trialCredits: parseCredits('50'),
  trialDays: 7,
  perAddressPerDay: 3,
  perNetworkPerDay: 5,
  dailyBudget: parseCredits('500'),
};
const unlimited = { ...policy, perAddressPerDay: 1_000, perNetworkPerDay: 1_000, dailyBudget: parseCredits('1000000') };

describe('registering trial agents', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.owner.query(
      'TRUNCATE agent_claims, mails, trial_agents, api_keys, accounts, registration_counters, bootstrap_accounts, events CASCADE',
    );
  });

  /** Registrations come to two replicas in turns. */
  const replicas = new Map<typeof policy, TrialRegistrations[]>();
  let turn = 0;
  function replica(caps = policy): TrialRegistrations {
    const both = replicas.get(caps) ?? [0, 1].map(() => new TrialRegistrations(database.pool, { policy: caps }));
    replicas.set(caps, both);
    turn += 1;
    const [one, other = one] = both;
    if (one === undefined || other === undefined) throw new Error('there are two');
    return turn % 2 === 0 ? one : other;
  }

  function commandOf(address: string, atMs = nowMs) {
    const client = clientNetworkOf(address);
    if (client === undefined) throw new Error(`${address} is no address`);
    return { agentName: 'scout', purpose: 'tests', client, nowMs: atMs };
  }

  const register = (address: string, caps = policy, atMs = nowMs): Promise<RegisterTrialAgentResult> =>
    replica(caps).register(commandOf(address, atMs));

  async function count(table: string): Promise<number> {
    const { rows } = await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
    return rows[0]?.n ?? -1;
  }

  const registered = (results: readonly RegisterTrialAgentResult[]): number =>
    results.filter((result) => result.status === 'registered').length;

  it('opens a trial account with an expiring grant and a key that works until then', async () => {
    const result = await register('192.0.2.1');
    if (result.status !== 'registered') throw new Error(result.status);
    const { agent } = result;
    expect(agent.expiresAtMs).toBe(nowMs + 7 * DAY_MS);
    const events = await readStream(database.pool, agent.accountId);
    expect(events.map((event) => event.type)).toEqual(['AccountOpened', 'ApiKeyIssued']);
    expect(events[0]?.data).toMatchObject({
      kind: 'trial',
      grantCategory: 'trial',
      initialGrantMicroCredits: '50000000',
      grantExpiresAt: new Date(agent.expiresAtMs).toISOString(),
    });
    const limits = { maxCallCredits: parseCredits('5') };
    expect(await verifyCredential(database.pool, agent.apiKey, limits, nowMs)).toMatchObject({ valid: true });
    expect(await verifyCredential(database.pool, agent.apiKey, limits, agent.expiresAtMs)).toEqual({ valid: false });
  });

  it('stores the claim code as a hash only', async () => {
    const result = await register('192.0.2.1');
    if (result.status !== 'registered') throw new Error(result.status);
    const { rows } = await database.pool.query<{ claim_code_hash: Buffer; text: string }>(
      'SELECT claim_code_hash, trial_agents::text AS text FROM trial_agents',
    );
    expect(rows[0]?.claim_code_hash).toEqual(hashClaimCode(result.agent.claimCode));
    expect(rows[0]?.text).not.toContain(result.agent.claimCode);
  });

  it('never exceeds the cap of an address under concurrent requests', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => register('192.0.2.1')));
    expect(registered(results)).toBe(3);
    expect(await count('accounts')).toBe(3);
    expect(await count('events')).toBe(6);
    expect(results.find((result) => result.status === 'capped')).toMatchObject({
      resetAtMs: Date.UTC(2026, 0, 16),
      cap: 'address',
    });
  });

  it('never exceeds the cap of a network under concurrent requests from many addresses in it', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => register(`192.0.2.${i + 1}`)));
    expect(registered(results)).toBe(5);
    expect(await count('trial_agents')).toBe(5);
    const v6 = await Promise.all(Array.from({ length: 20 }, (_, i) => register(`2001:db8::${i + 1}`)));
    expect(registered(v6)).toBe(5);
  });

  it('never gives away more than the daily budget under concurrent requests from everywhere', async () => {
    const results = await Promise.all(Array.from({ length: 30 }, (_, i) => register(`198.51.${i}.1`)));
    expect(registered(results)).toBe(10);
    const { rows } = await database.pool.query<{ sum: string }>(
      'SELECT sum(trial_micro_credits) AS sum FROM trial_agents',
    );
    expect(BigInt(rows[0]?.sum ?? '0')).toBe(policy.dailyBudget);
  });

  it('leaves every row as it was when it refuses, so that a refusal uses up nothing', async () => {
    const noBudget = { ...policy, dailyBudget: parseCredits('49') };
    expect(await register('192.0.2.1', noBudget)).toMatchObject({ status: 'capped', cap: 'budget' });
    for (const table of ['accounts', 'api_keys', 'trial_agents', 'events', 'registration_counters']) {
      expect([table, await count(table)]).toEqual([table, 0]);
    }
  });

  it('admits an address again the next UTC day', async () => {
    for (let i = 0; i < 3; i += 1) await register('192.0.2.1');
    expect(await register('192.0.2.1')).toMatchObject({ status: 'capped' });
    expect(await register('192.0.2.1', policy, nowMs + 10_000)).toMatchObject({ status: 'registered' });
  });

  it('obeys a cap that was lowered below what is used already', async () => {
    await register('192.0.2.1', unlimited);
    await register('192.0.2.1', unlimited);
    expect(await register('192.0.2.1', { ...unlimited, perAddressPerDay: 1 })).toMatchObject({ status: 'capped' });
  });

  it('does not deadlock when addresses of several networks register at the same time', async () => {
    const addresses = Array.from({ length: 60 }, (_, i) => `10.0.${i % 3}.${i % 7}`);
    expect(registered(await Promise.all(addresses.map((address) => register(address, unlimited))))).toBe(60);
  });

  it('writes those who come at the same time together, and each as if it had come alone', async () => {
    const one = replica(unlimited);
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, i) => one.register(commandOf(`10.0.${i % 3}.${i % 7}`))),
    );
    expect(registered(results)).toBe(40);
    const { rows } = await database.pool.query<{ transactions: number; agents: number; chains: number }>(
      `SELECT (SELECT count(DISTINCT tx_order)::int FROM events) AS transactions,
              (SELECT count(*)::int FROM trial_agents t JOIN accounts a USING (account_id) JOIN api_keys k USING (account_id)
                WHERE (t.agent_name, t.purpose, a.name, a.kind, a.status) = ('scout', 'tests', 'scout', 'trial', 'active')) AS agents,
              (SELECT count(*)::int FROM security_log_heads h JOIN accounts a ON a.account_id = h.chain WHERE h.entry_seq = 2) AS chains`,
    );
    expect(rows[0]).toMatchObject({ agents: 40, chains: 40 });
    expect(rows[0]?.transactions).toBeLessThan(10);
    for (const result of results) {
      if (result.status !== 'registered') throw new Error(result.status);
      const { accountId, apiKey } = result.agent;
      const events = await readStream(database.pool, accountId);
      expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
        ['AccountOpened', 1],
        ['ApiKeyIssued', 2],
      ]);
      const limits = { maxCallCredits: parseCredits('5') };
      expect(await verifyCredential(database.pool, apiKey, limits, nowMs)).toMatchObject({ assertion: { accountId } });
    }
  });

  it('writes nothing of any of them where one cannot be written', async () => {
    const trial = newTrial(commandOf('10.0.0.1'), unlimited);
    const other = newTrial(commandOf('10.0.0.2'), unlimited);
    await expect(registerTrials(database.pool, [other, trial, trial])).rejects.toMatchObject({ code: '23505' });
    for (const table of ['accounts', 'api_keys', 'trial_agents', 'events', 'registration_counters']) {
      expect([table, await count(table)]).toEqual([table, 0]);
    }
  });

  it('forgets the addresses of past days', async () => {
    await register('192.0.2.1');
    expect(await purgeRegistrationCounters(database.pool, nowMs + DAY_MS)).toBe(0);
    expect(await purgeRegistrationCounters(database.pool, nowMs + 2 * DAY_MS)).toBe(3);
    expect(await count('registration_counters')).toBe(0);
  });
});
