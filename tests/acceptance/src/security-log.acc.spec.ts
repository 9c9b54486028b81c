import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { send } from './support/http.js';
import { asArray, asObject, asString, type JsonObject } from './support/json.js';

const PROVIDER = 'builtin';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount(1);
});

async function entriesOf(path: string, key: string): Promise<JsonObject[]> {
  const { json } = await send('GET', path, { key });
  return asArray(asObject(json['data'])['items']).map((item) => asObject(item));
}
const byAdmin = (accountId: string): Promise<JsonObject[]> =>
  entriesOf(`/admin/v1/security-log?account_id=${accountId}&limit=2`, adminKey);
const byOwner = ({ key }: TestAccount): Promise<JsonObject[]> => entriesOf('/api/v1/auth/security-log?limit=2', key);

describe('a change in a service other than identity', () => {
  it('is in the log of the account with the operator who asked for it, before it is answered, and with its outcome', async () => {
    const { accountId } = account;
    const path = `/admin/v1/accounts/${accountId}/grants`;
    const body = { category: 'purchased', amount_credits: 5 };
    const headers = { 'idempotency-key': `security-log-${Date.now()}` };
    const granted = await send('POST', path, { key: adminKey, body, headers });
    expect([granted.status, granted.text]).toEqual([201, expect.any(String)]);
    const requests = (await byAdmin(accountId)).filter(({ action }) => action === 'change.requested');
    expect(requests).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ type: 'operator', credential_type: 'api_key' }),
        object: { type: 'route', id: 'POST /admin/v1/accounts/:accountId/grants' },
        details: expect.objectContaining({ path }),
      }),
    ]);
    const object = { type: 'security_log_entry', id: asString(requests[0]?.['entry_id']) };
    const answered = { action: 'change.answered', reason: 'status_201', object };
    await eventually(async () => expect((await byAdmin(accountId))[0]).toMatchObject(answered));
    // The owner is told who, and not from where.
    const [outcome, request] = await byOwner(account);
    expect([outcome, request]).toMatchObject([
      answered,
      { action: 'change.requested', object: requests[0]?.['object'] },
    ]);
    expect(request).not.toHaveProperty('details');
  });

  it('is in the log also where it was refused by its service, and of the owner as well', async () => {
    const path = `/api/v1/auth/provider-credentials/${PROVIDER}`;
    const refused = await send('PUT', path, { key: account.key, body: {} });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    const actor = { type: 'account', account_id: account.accountId };
    const [request] = await byOwner(account);
    expect(request).toMatchObject({
      action: 'change.requested',
      actor,
      object: { type: 'route', id: 'PUT /api/v1/auth/provider-credentials/:providerId' },
      details: { path },
    });
    const object = { type: 'security_log_entry', id: request?.['entry_id'] };
    const answered = { action: 'change.answered', actor, object, reason: `status_${refused.status}` };
    await eventually(async () => expect((await byOwner(account))[0]).toMatchObject(answered));
  });
});
