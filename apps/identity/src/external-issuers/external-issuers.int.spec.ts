import type { AccountAssertion } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { ManualClock } from '@capability-router/kernel';
import { TestIssuer } from '@capability-router/service-kit/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';

const startMs = Date.UTC(2026, 0, 15, 10);
const PER_DAY = 5;
const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;

let issuer: TestIssuer;
let identity: RunningIdentity;
let replica: RunningIdentity;
let clock: ManualClock;
beforeAll(async () => {
  issuer = await TestIssuer.start();
  clock = new ManualClock(startMs);
  const opening = { plan: 'partners', per_day: PER_DAY };
  identity = await RunningIdentity.start(clock, issuer.settings({ open_accounts: opening }));
  replica = await another({ open_accounts: opening });
});
afterAll(async () => {
  await replica.stop();
  await identity.stop();
  await issuer.close();
});
beforeEach(() => {
  issuer.behave = undefined;
  // A day later accounts are opened again, and the keys are read again.
  clock.advanceMs(86_400_000);
});

/** Starts another replica of the same deployment, with settings of its own. */
const another = (more: object): Promise<RunningIdentity> =>
  RunningIdentity.start(clock, issuer.settings(more), { of: identity, publicUrl: 'http://127.0.0.1' });

const token = (sub: string, more: object = {}): Promise<string> => {
  const now = Math.floor(clock.nowMs() / 1_000);
  return issuer.sign({ sub, aud: 'http://127.0.0.1/api/v1', iat: now, exp: now + 600, scope: 'call read', ...more });
};
async function verify(credential: string, on = identity): Promise<Record<string, unknown>> {
  const answer = await on.call({ method: 'POST', url: '/internal/credentials:verify', body: { credential } });
  expect(answer.status).toBe(200);
  return answer.body;
}
const accountOf = (verified: Record<string, unknown>): string =>
  String((verified['assertion'] as Record<string, unknown> | undefined)?.['accountId']);
const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown): Promise<Answer> =>
  identity.call({ method, url, account: admin, ...(body === undefined ? {} : { body }) });
const itemsOf = ({ body }: Answer): Record<string, unknown>[] =>
  (body['data'] as Record<string, unknown>)['items'] as Record<string, unknown>[];
async function countOf(table: 'accounts' | 'external_subjects'): Promise<number> {
  const { rows } = await identity.database.pool.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
  return Number(rows[0]?.count);
}

describe('a token of an external issuer', () => {
  it('opens nothing while its plan is not there, and is refused by nobody for it', async () => {
    expect(await verify(await token('early'))).toEqual({ valid: false, undecided: true });
    expect([await countOf('accounts'), await countOf('external_subjects')]).toEqual([0, 0]);
    const plan = { per_minute: { call: 7 } };
    expect((await ask('PUT', '/admin/v1/rate-limit-plans/partners', plan)).status).toBe(200);
  });

  it('opens one account for a subject, whoever comes first on whichever replica, and it is in the security log', async () => {
    const before = await countOf('accounts');
    const text = await token('zoe', { azp: 'portal' });
    const asked = await Promise.all(
      Array.from({ length: 50 }, (_, index) => verify(text, index % 2 ? identity : replica)),
    );
    const accountIds = new Set(asked.map(accountOf));
    expect(accountIds.size).toBe(1);
    expect((await countOf('accounts')) - before).toBe(1);
    const [accountId = ''] = accountIds;
    expect(asked[0]).toEqual({
      valid: true,
      assertion: {
        accountId,
        accountKind: 'formal',
        credentialType: 'access_token',
        oauthClientId: 'portal',
        scopes: ['call', 'read'],
      },
      ratePlan: { name: 'partners', perMinute: { call: 7 } },
      expiresAt: new Date(clock.nowMs() + 600_000).toISOString(),
      endsWith: [expect.any(String)],
    });
    expect(accountOf(await verify(await token('zoe')))).toBe(accountId);
    expect(accountOf(await verify(await token('grace')))).not.toBe(accountId);

    const entries = itemsOf(await ask('GET', `/admin/v1/security-log?account_id=${accountId}`));
    expect(entries.map(({ action, reason, actor }) => ({ action, reason, actor }))).toEqual([
      { action: 'account.plan_changed', reason: undefined, actor: { type: 'anonymous' } },
      { action: 'account.opened', reason: 'external_issuer:acme', actor: { type: 'anonymous' } },
    ]);
    expect(itemsOf(await ask('GET', '/admin/v1/accounts?name=acme%20zoe'))).toMatchObject([{ account_id: accountId }]);
    // Events and subjects hold nobody's name.
    const stored = await identity.database.pool.query<{ text: string }>(
      `SELECT events::text AS text FROM events UNION ALL SELECT external_subjects::text FROM external_subjects`,
    );
    expect(stored.rows.filter((row) => row.text.includes('zoe'))).toEqual([]);
    expect((await readStream(identity.database.pool, accountId)).map(({ type }) => type)).toEqual([
      'AccountOpened',
      'AccountRateLimitPlanChanged',
    ]);
  });

  it('opens no more accounts in a day than it may, also when all come at once', async () => {
    const texts = await Promise.all(Array.from({ length: 3 * PER_DAY }, (_, index) => token(`many-${index}`)));
    const asked = await Promise.all(texts.map((text, index) => verify(text, index % 2 ? identity : replica)));
    expect(asked.filter(({ valid }) => valid === true)).toHaveLength(PER_DAY);
    expect(asked.filter(({ valid }) => valid === false)).toHaveLength(2 * PER_DAY);
    clock.advanceMs(86_400_000);
    expect(await verify(await token(`many-late`))).toMatchObject({ valid: true });
  });

  it('is refused from when its account is suspended or closed, and opens no other one', async () => {
    const text = await token('linus');
    const accountId = accountOf(await verify(text));
    expect((await ask('POST', `/admin/v1/accounts/${accountId}:suspend`)).status).toBe(200);
    expect(await verify(text)).toEqual({ valid: false });
    await ask('POST', `/admin/v1/accounts/${accountId}:resume`);
    expect(accountOf(await verify(text))).toBe(accountId);
    await ask('POST', `/admin/v1/accounts/${accountId}:block`);
    expect(await verify(text)).toMatchObject({ assertion: { accountStatus: 'payment_required' } });
    await ask('POST', `/admin/v1/accounts/${accountId}:close`);
    expect(await verify(text)).toEqual({ valid: false });
    const judged = await identity.call({ method: 'POST', url: '/api/v1/auth/verify-token', body: { token: text } });
    expect(judged.body['data']).toMatchObject({ is_valid: false, is_expired: false, payload: { sub: 'linus' } });
  });

  it('is of somebody unknown once the account is erased', async () => {
    const accountId = accountOf(await verify(await token('gone')));
    const before = await countOf('external_subjects');
    expect((await ask('DELETE', `/admin/v1/accounts/${accountId}`)).status).toBe(200);
    expect(before - (await countOf('external_subjects'))).toBe(1);
    const next = accountOf(await verify(await token('gone')));
    expect(next).not.toBe(accountId);
  });

  it('is exchanged for nothing: a delegation token has a parent that this deployment gave', async () => {
    const accountId = accountOf(await verify(await token('planner')));
    const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const registration = { account_id: accountId, name: 'planner', scopes: ['call'], grant_types: [exchange] };
    const { body } = await ask('POST', '/admin/v1/oauth-clients', registration);
    const client = body['data'] as Record<string, unknown>;
    const login = Buffer.from(`${String(client['client_id'])}:${String(client['client_secret'])}`).toString('base64');
    const answer = await identity.call({
      method: 'POST',
      url: '/api/v1/oauth/token',
      authorization: `Basic ${login}`,
      form: {
        grant_type: exchange,
        subject_token: await token('planner'),
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(answer.body['error_description']).toContain('subject_token');
  });

  it('goes on while its issuer is away, and nothing is decided of one whose key is not known', async () => {
    const text = await token('away');
    expect(await verify(text)).toMatchObject({ valid: true });
    issuer.behave = (_request, response) => response.writeHead(500).end();
    clock.advanceMs(5_000);
    expect(await verify(text)).toMatchObject({ valid: true });
    expect(await verify(await token('away', { azp: 'second' }))).toMatchObject({ valid: true });
    const unknown = await issuer.sign({ sub: 'away' }, { kid: 'new' });
    expect(await verify(unknown)).toEqual({ valid: false, undecided: true });
    clock.advanceMs(5_000);
    issuer.behave = undefined;
    expect(await verify(unknown)).toEqual({ valid: false });
  });
});

describe('an issuer that opens no accounts', () => {
  it('knows those that were opened before, and nobody else', async () => {
    const accountId = accountOf(await verify(await token('known')));
    const closed = await another({});
    try {
      expect(accountOf(await verify(await token('known'), closed))).toBe(accountId);
      expect(await verify(await token('stranger'), closed)).toEqual({ valid: false });
      const url = '/api/v1/auth/verify-token';
      const judged = await closed.call({ method: 'POST', url, body: { token: await token('stranger') } });
      expect(judged.body['data']).toMatchObject({ is_valid: false, is_expired: false });
    } finally {
      await closed.stop();
    }
  });

  it('may act for one account, whoever the subject is', async () => {
    const opened = await ask('POST', '/admin/v1/accounts', { kind: 'formal', name: 'Acme', initial_credits: 0 });
    const accountId = String((opened.body['data'] as Record<string, unknown>)['account_id']);
    const before = await countOf('accounts');
    const shared = await another({ account_id: accountId });
    try {
      for (const sub of ['one', 'two']) expect(accountOf(await verify(await token(sub), shared))).toBe(accountId);
      expect(await countOf('accounts')).toBe(before);
      await ask('POST', `/admin/v1/accounts/${accountId}:suspend`);
      expect(await verify(await token('one'), shared)).toEqual({ valid: false });
    } finally {
      await shared.stop();
    }
  });
});
