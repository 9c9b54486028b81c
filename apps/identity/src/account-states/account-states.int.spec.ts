import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VERIFICATION_ACCOUNT_ID, type AccountAssertion } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { ManualClock } from '@capability-router/kernel';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';

const admin: AccountAssertion = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
};

let identity: RunningIdentity;
beforeAll(async () => {
  identity = await RunningIdentity.start(new ManualClock(Date.UTC(2026, 0, 15, 12)));
});
afterAll(() => identity.stop());

const post = (url: string, body?: unknown, account = admin): Promise<Answer> =>
  identity.call({ method: 'POST', url: `/admin/v1/accounts${url}`, body, account });

async function newAccount(): Promise<{ accountId: string; credential: string; apiKeyId: string }> {
  const opened = (await post('', { kind: 'formal', name: 'a' })).body['data'] as Record<string, string>;
  const accountId = opened['account_id'] ?? '';
  const issued = (await post(`/${accountId}/api-keys`, { name: 'k' })).body['data'] as Record<string, string>;
  return { accountId, credential: issued['api_key'] ?? '', apiKeyId: issued['api_key_id'] ?? '' };
}

/** How the gateway is told to treat the key: `refused`, or the state that is vouched for. */
async function verified(credential: string): Promise<unknown> {
  const body = { credential };
  const answer = await identity.call({ method: 'POST', url: '/internal/credentials:verify', body });
  if (answer.body['valid'] !== true) return 'refused';
  return (answer.body['assertion'] as AccountAssertion).accountStatus ?? 'active';
}

const statesIn = async (accountId: string): Promise<unknown[]> =>
  (await readStream(identity.database.pool, accountId)).flatMap(({ type, data }) =>
    type === 'AccountStateChanged' ? [[data['previousState'], data['state']]] : [],
  );

describe('the state of an account', () => {
  it('is suspended and resumed, blocked and unblocked, each told once, and a block outlasts a suspension', async () => {
    const { accountId, credential } = await newAccount();
    for (const [action, changed, state, seen] of [
      ['suspend', true, 'suspended', 'refused'],
      ['suspend', false, 'suspended', 'refused'],
      ['block', true, 'suspended', 'refused'],
      ['resume', true, 'payment_required', 'payment_required'],
      ['unblock', true, 'active', 'active'],
      ['resume', false, 'active', 'active'],
    ] as const) {
      const answer = await post(`/${accountId}:${action}`);
      expect([action, answer.status, answer.body['data']]).toEqual([
        action,
        200,
        { account_id: accountId, state, changed },
      ]);
      expect([action, await verified(credential)]).toEqual([action, seen]);
    }
    expect(await statesIn(accountId)).toEqual([
      ['active', 'suspended'],
      ['suspended', 'suspended'],
      ['suspended', 'payment_required'],
      ['payment_required', 'active'],
    ]);
  });

  it('is closed for good: its keys end, and its history stays', async () => {
    const { accountId, credential, apiKeyId } = await newAccount();
    expect((await post(`/${accountId}:close`)).body['data']).toMatchObject({ state: 'closed', changed: true });
    expect(await verified(credential)).toBe('refused');
    expect((await post(`/${accountId}:close`)).body['data']).toMatchObject({ state: 'closed', changed: false });
    for (const action of ['suspend', 'resume', 'block', 'unblock']) {
      expect((await post(`/${accountId}:${action}`)).status).toBe(409);
    }
    expect((await post(`/${accountId}/api-keys`, { name: 'another' })).status).toBe(409);
    const stream = await readStream(identity.database.pool, accountId);
    expect(stream.map(({ type }) => type)).toEqual([
      'AccountOpened',
      'ApiKeyIssued',
      'ApiKeyRevoked',
      'AccountStateChanged',
    ]);
    expect(stream[2]?.data).toMatchObject({ apiKeyId });
  });

  it('of the account on which tools are verified is never closed nor erased, and may be suspended and resumed', async () => {
    const opened = { method: 'POST', url: '/internal/verification-account:open', as: 'registry' } as const;
    expect((await identity.call(opened)).status).toBe(200);
    const refused = [
      await post(`/${VERIFICATION_ACCOUNT_ID}:close`),
      await identity.call({ method: 'DELETE', url: `/admin/v1/accounts/${VERIFICATION_ACCOUNT_ID}`, account: admin }),
    ];
    for (const { status, body } of refused) {
      expect(status).toBe(409);
      expect(JSON.stringify(body)).toMatch(/verifies its tools.*VERIFICATION_INTERVAL_HOURS=0/);
    }
    expect((await post(`/${VERIFICATION_ACCOUNT_ID}:suspend`)).body['data']).toMatchObject({ state: 'suspended' });
    expect((await post(`/${VERIFICATION_ACCOUNT_ID}:resume`)).body['data']).toMatchObject({ state: 'active' });
    const types = (await readStream(identity.database.pool, VERIFICATION_ACCOUNT_ID)).map(({ type }) => type);
    expect(types).toEqual(['AccountOpened', 'AccountStateChanged', 'AccountStateChanged']);
  });

  it('is for other administrators to change, of accounts that there are', async () => {
    const { accountId } = await newAccount();
    expect((await post(`/${accountId}:suspend`, undefined, { ...admin, scopes: ['call', 'read'] })).status).toBe(403);
    expect((await post(`/${accountId}:suspend`, undefined, { ...admin, accountId })).status).toBe(409);
    for (const path of [`/acc_${'0'.repeat(32)}:suspend`, '/nobody:suspend', `/${accountId}:freeze`, `/${accountId}`]) {
      expect([path, (await post(path)).status]).toEqual([path, 404]);
    }
    expect(await statesIn(accountId)).toEqual([]);
  });
});
