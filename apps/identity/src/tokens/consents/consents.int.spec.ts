/** @postgres-versions The plan of a page decides whether it stays fast. */
import type { AccountAssertion, ApiKeyScope } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { planOf } from '@capability-router/event-store/testing';
import { ManualClock, uuidv7 } from '@capability-router/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { givenConsent } from '../../test-support/given-consent.js';
import { RunningIdentity, type Answer } from '../../test-support/running-identity.js';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 15, 10);
const PATH = '/api/v1/auth/oauth-consents';
const NO_CONSENT = '00000000-0000-7000-8000-000000000000';
const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;

const clock = new ManualClock(START);
let identity: RunningIdentity;
let owner: string;
let person: string;
let client: string;
beforeAll(async () => {
  identity = await RunningIdentity.start(clock);
});
afterAll(() => identity.stop());
beforeEach(async () => {
  [owner, person] = [await opened(), await opened()];
  client = await registered();
});

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, account: AccountAssertion, body?: object) =>
  identity.call({ method, url, account, ...(body === undefined ? {} : { body }) });
const dataOf = ({ body }: Answer): Record<string, unknown> => body['data'] as Record<string, unknown>;
const itemsOf = (answer: Answer): Record<string, unknown>[] => dataOf(answer)['items'] as Record<string, unknown>[];
const holder = (
  accountId: string,
  scopes: readonly ApiKeyScope[] = ['manage'],
  more: object = {},
): AccountAssertion => ({
  accountId,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes,
  ...more,
});

async function opened(): Promise<string> {
  const body = { kind: 'formal', name: 'Test', initial_credits: 0 };
  return String(dataOf(await ask('POST', '/admin/v1/accounts', admin, body))['account_id']);
}
async function registered(): Promise<string> {
  const kind = { token_endpoint_auth_method: 'none' };
  const body = { account_id: owner, name: 'terminal', scopes: ['call', 'read'], ...kind };
  return String(dataOf(await ask('POST', '/admin/v1/oauth-clients', admin, body))['client_id']);
}

/** As a consent of the person begins it. */
async function given(more: { readonly apiKeyId?: string; readonly accountId?: string } = {}): Promise<Given> {
  // Ids of one millisecond are in no order.
  clock.advanceMs(1);
  const whose = { clientId: client, accountId: person, nowMs: clock.nowMs(), ...more };
  const { familyId: id, refreshToken } = await givenConsent(identity.database.pool, whose);
  return { id, refreshToken };
}
interface Given {
  readonly id: string;
  readonly refreshToken: string;
}
const refresh = (refreshToken: string): Promise<Answer> => {
  const form = { grant_type: 'refresh_token', client_id: client, refresh_token: refreshToken };
  return identity.call({ method: 'POST', url: '/api/v1/oauth/token', form });
};
async function verify(credential: unknown): Promise<Record<string, unknown>> {
  return (await identity.call({ method: 'POST', url: '/internal/credentials:verify', body: { credential } })).body;
}
const idsOf = async (accountId = person): Promise<unknown[]> =>
  itemsOf(await ask('GET', PATH, holder(accountId))).map((item) => item['consent_id']);

describe('the consents of an account', () => {
  it('are listed with what was given to whom, and with their last use', async () => {
    const { id, refreshToken } = await given();
    const url = `/admin/v1/accounts/${person}/oauth-consents`;
    const facts = {
      consent_id: id,
      client_id: client,
      client_name: 'terminal',
      scopes: ['read'],
      resource: 'http://127.0.0.1/api/v1',
      granted_at: new Date(clock.nowMs()).toISOString(),
      expires_at: new Date(clock.nowMs() + 30 * DAY_MS).toISOString(),
    };
    expect(dataOf(await ask('GET', PATH, holder(person)))).toEqual({ items: [facts] });
    expect(dataOf(await ask('GET', url, admin))).toEqual({ items: [facts] });
    clock.advanceMs(60_000);
    const { body } = await refresh(refreshToken);
    const refreshedAt = new Date(clock.nowMs()).toISOString();
    expect(itemsOf(await ask('GET', PATH, holder(person)))).toEqual([{ ...facts, last_used_at: refreshedAt }]);
    clock.advanceMs(60_000);
    expect(await verify(body['access_token'])).toMatchObject({ valid: true });
    const usedAt = new Date(clock.nowMs()).toISOString();
    await expectEventually(async () =>
      expect(itemsOf(await ask('GET', url, admin))).toEqual([{ ...facts, last_used_at: usedAt }]),
    );
  });

  it('are those that give something now: not of an ended key, client or time', async () => {
    const issued = await ask('POST', `/admin/v1/accounts/${person}/api-keys`, admin, { name: 'k', scopes: ['read'] });
    const apiKeyId = String(dataOf(issued)['api_key_id']);
    const [byKey, byMail] = [await given({ apiKeyId }), await given()];
    expect(await idsOf()).toEqual([byMail.id, byKey.id]);
    expect(itemsOf(await ask('GET', PATH, holder(person)))[1]).toMatchObject({ api_key_id: apiKeyId });
    await ask('DELETE', `/admin/v1/api-keys/${apiKeyId}`, admin);
    expect(await idsOf()).toEqual([byMail.id]);
    await ask('DELETE', `/admin/v1/oauth-clients/${client}`, admin);
    expect(await idsOf()).toEqual([]);
    client = await registered();
    const last = await given();
    // One that is suspended goes on when it is resumed.
    await ask('POST', `/admin/v1/accounts/${owner}:suspend`, admin);
    expect(await idsOf()).toEqual([last.id]);
    clock.advanceMs(30 * DAY_MS);
    expect(await idsOf()).toEqual([]);
    const newest = await given();
    expect(await idsOf()).toEqual([newest.id]);
    await ask('POST', `/admin/v1/accounts/${owner}:close`, admin);
    expect(await idsOf()).toEqual([]);
  });

  it.each([
    ['its owner', 'owner', () => [PATH, holder(person)] as const],
    ['an administrator', 'administrator', () => ['/admin/v1/oauth-consents', admin] as const],
  ])('are ended by %s with all their tokens, which the security log has', async (_who, reason, as) => {
    const [{ id, refreshToken }, other] = [await given(), await given()];
    const { body } = await refresh(refreshToken);
    const [path, caller] = as();
    // The id is the same in upper case, and is told in lower case.
    const ended = await ask('DELETE', `${path}/${id.toUpperCase()}`, caller);
    const answer = { consent_id: id, account_id: person, client_id: client };
    const revoked = { ...answer, revoked_at: new Date(clock.nowMs()).toISOString() };
    expect([ended.status, dataOf(ended)]).toEqual([200, revoked]);
    expect(await verify(body['access_token'])).toEqual({ valid: false });
    expect(await refresh(String(body['refresh_token']))).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await idsOf()).toEqual([other.id]);
    expect((await refresh(other.refreshToken)).status).toBe(200);

    clock.advanceMs(1_000);
    // Repeating it ends nothing anew.
    expect(dataOf(await ask('DELETE', `${path}/${id}`, caller))).toEqual(revoked);
    const facts = (await readStream(identity.database.pool, person)).filter(
      ({ type }) => type === 'OAuthFamilyRevoked',
    );
    expect(facts.map(({ data }) => data)).toEqual([
      expect.objectContaining({ familyId: id, clientId: client, reason }),
    ]);
    const [entry] = itemsOf(await ask('GET', '/api/v1/auth/security-log?limit=1', holder(person)));
    const object = { type: 'oauth_family', id };
    expect(entry).toMatchObject({ action: 'oauth_consent.revoked', reason, object });
    expect((entry?.['actor'] as Record<string, unknown>)['type']).toBe(reason === 'owner' ? 'account' : 'operator');
  });

  it('are ended once, however many ask at a time', async () => {
    const { id } = await given();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2
          ? ask('DELETE', `${PATH}/${id}`, holder(person))
          : ask('DELETE', `/admin/v1/oauth-consents/${id}`, admin),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const ends = (await readStream(identity.database.pool, person)).filter(({ type }) => type === 'OAuthFamilyRevoked');
    expect(ends).toHaveLength(1);
  });

  it('of another account are unknown, and so is every other id', async () => {
    const theirs = await given({ accountId: owner });
    for (const id of [theirs.id, NO_CONSENT, 'x']) {
      expect([id, (await ask('DELETE', `${PATH}/${id}`, holder(person))).status]).toEqual([id, 404]);
    }
    expect(await idsOf()).toEqual([]);
    expect(await idsOf(owner)).toEqual([theirs.id]);
    for (const id of [NO_CONSENT, 'x'])
      expect((await ask('DELETE', `/admin/v1/oauth-consents/${id}`, admin)).status).toBe(404);
    for (const id of [`acc_${'0'.repeat(32)}`, 'x'])
      expect((await ask('GET', `/admin/v1/accounts/${id}/oauth-consents`, admin)).status).toBe(404);
  });

  it('are nothing to a key without the scope, and are ended by no token', async () => {
    const { id } = await given();
    const weak = holder(person, ['call', 'read']);
    const token = holder(person, ['manage'], { credentialType: 'access_token', oauthClientId: client });
    for (const [method, url, caller] of [
      ['GET', PATH, weak],
      ['DELETE', `${PATH}/${id}`, weak],
      ['DELETE', `${PATH}/${id}`, token],
      ['GET', `/admin/v1/accounts/${person}/oauth-consents`, holder(person)],
      ['DELETE', `/admin/v1/oauth-consents/${id}`, holder(person)],
    ] as const)
      expect([method, url, (await ask(method, url, caller)).status]).toEqual([method, url, 403]);
    expect((await ask('GET', PATH, token)).status).toBe(200);
    expect((await ask('GET', `${PATH}?limit=0`, holder(person))).status).toBe(422);
  });

  it('are paged in the order of an index', async () => {
    const ids = Array.from({ length: 3_000 }, (_, index) => uuidv7(clock.nowMs() - 100_000 + index));
    await identity.database.owner.query(
      `INSERT INTO oauth_families (family_id, client_id, account_id, scopes, family_hash, token_hash, began_at, rotated_at, expires_at, revoked_at)
       SELECT id, $1, $2, '{read}', sha256(id::text::bytea), sha256(id::text::bytea), $4, $4, $4::timestamptz + interval '1 day',
              CASE WHEN position % 100 = 0 THEN NULL ELSE $4::timestamptz END
         FROM unnest($3::uuid[]) WITH ORDINALITY AS listed (id, position)`,
      [client, person, ids, new Date(clock.nowMs())],
    );
    await identity.database.owner.query('ANALYZE oauth_families');
    const first = await ask('GET', `${PATH}?limit=20`, holder(person));
    const second = await ask('GET', `${PATH}?limit=20&before=${String(dataOf(first)['next_before'])}`, holder(person));
    expect(dataOf(second)).not.toHaveProperty('next_before');
    const standing = ids.filter((_, index) => (index + 1) % 100 === 0).toReversed();
    expect([...itemsOf(first), ...itemsOf(second)].map((item) => item['consent_id'])).toEqual(standing);
    const sql = `SELECT 1 FROM oauth_families WHERE account_id = $1 AND revoked_at IS NULL ORDER BY family_id DESC LIMIT 20`;
    const plan = await planOf(identity.database.pool, sql, [person]);
    expect(plan).toContain('oauth_families_standing_of_account');
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  });
});

/** The record of uses is written every five seconds. */
async function expectEventually(assert: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    try {
      return await assert();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
