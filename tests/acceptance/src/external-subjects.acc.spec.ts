import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, newAccount, type TestAccount } from './support/accounts.js';
import { Company } from './support/company.js';
import { linkingIssuer } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { call, send } from './support/http.js';
import { asObject, asString, type JsonObject } from './support/json.js';

/** Requests take the replicas of the gateway in turn. */
const ON_EVERY_REPLICA = 4;
const everywhere = (status: number): number[] => Array.from({ length: ON_EVERY_REPLICA }, () => status);

let company: Company;
let account: TestAccount;
let token: string;
let command: JsonObject;
beforeAll(async () => {
  company = await Company.start(linkingIssuer());
  account = await newAccount();
  const { json } = await send('GET', '/.well-known/oauth-protected-resource/api/v1');
  const subject = `grace ${randomUUID()}`;
  token = company.token(subject, asString(json['resource'], 'resource'));
  command = { account_id: account.accountId, issuer: 'globex', subject };
});
afterAll(() => company.stop());

async function reads(): Promise<number[]> {
  const replies = Array.from({ length: ON_EVERY_REPLICA }, () => call('GET', '/auth/credits', { key: token }));
  return (await Promise.all(replies)).map(({ status }) => status);
}

/** Repeated while a replica has not said that it acts by it: the answer is true then. */
const told = (method: string, path: string, body?: JsonObject): Promise<JsonObject> =>
  eventually(async () => {
    const data = await admin(method, path, body);
    expect(data).not.toHaveProperty('pending');
    return asObject(data);
  });

describe('a token of somebody else’s issuer, which opens no accounts', () => {
  it('acts for the account that an administrator links its subject to, on every replica once that is answered, and no longer', async () => {
    expect(await reads()).toEqual(everywhere(401));
    const linked = await told('POST', '/external-subjects', command);
    expect(await reads()).toEqual(everywhere(200));
    const verified = await call('POST', '/auth/verify-token', { body: { token } });
    expect(verified.json['data']).toMatchObject({ is_valid: true });
    const credits = await call('GET', '/auth/credits', { key: token });
    expect(credits.json['data']).toMatchObject({ remaining_credits: account.initialCredits });

    await told('DELETE', `/external-subjects/${asString(linked['external_subject_id'])}`);
    expect(await reads()).toEqual(everywhere(401));
    await told('POST', '/external-subjects', command);
    expect(await reads()).toEqual(everywhere(200));
    await told('POST', `/accounts/${account.accountId}:close`);
    expect(await reads()).toEqual(everywhere(401));
    expect(await admin('GET', `/external-subjects?account_id=${account.accountId}`)).toEqual({ items: [] });
  });
});
