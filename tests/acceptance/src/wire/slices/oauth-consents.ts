import { newAccount, newKey, type TestAccount } from '../../support/accounts.js';
import { approvedByKey } from '../../support/device-consent.js';
import { DeviceProgram } from '../../support/device-program.js';
import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import { asObject, asString, type JsonObject } from '../../support/json.js';
import type { Slice } from '../slice.js';

const path = '/api/v1/auth/oauth-consents';
const none = '00000000-0000-7000-8000-000000000000';

async function consented(account: TestAccount): Promise<void> {
  await approvedByKey(await DeviceProgram.begin(account, 'terminal'), account.key);
}
const firstIn = (reply: Reply): string => {
  const [first] = asObject(reply.json['data'])['items'] as readonly JsonObject[];
  return asString(first?.['consent_id'], 'consent_id');
};

/** Consents of an account to programs, as it and administrators see and end them. */
export const oauthConsents: Slice = {
  name: 'oauth-consents',
  async run(wire) {
    const [account, other] = [await newAccount(1), await newAccount(1)];
    const { accountId, key } = account;
    wire.caller('anna', key);
    const weak = await newKey(accountId, ['call', 'read']);
    wire.caller('a key of two scopes', weak.key);
    await consented(account);
    await consented(account);
    await consented(other);
    const theirs = firstIn(await wire.askUnrecorded('GET', path, { key: other.key }));
    const told = ({ text }: Reply): boolean => !text.includes('"pending"');
    const ask = (title: string, method: string, of: string, by = key): Promise<Reply> =>
      wire.ask(title, method, of, { key: by, until: told });

    const id = firstIn(await ask('the consents', 'GET', path));
    await ask('the newest consent', 'GET', `${path}?limit=1`);
    await ask('consents, refused', 'GET', `${path}?limit=0`);
    await ask('consents, without the scope', 'GET', path, weak.key);
    await ask('the end of a consent', 'DELETE', `${path}/${id}`);
    await ask('the end of a consent, again', 'DELETE', `${path}/${id}`);
    await ask('the end of a consent, without the scope', 'DELETE', `${path}/${id}`, weak.key);
    await ask('the end of no consent', 'DELETE', `${path}/${none}`);
    await ask("the end of another account's consent", 'DELETE', `${path}/${theirs}`);
    const ofAccount = `/admin/v1/accounts/${accountId}/oauth-consents`;
    const left = firstIn(await ask('the consents, for an administrator', 'GET', ofAccount, adminKey));
    await ask('the consents of no account', 'GET', `/admin/v1/accounts/x/oauth-consents`, adminKey);
    await ask('its end by an administrator', 'DELETE', `/admin/v1/oauth-consents/${left}`, adminKey);
    await ask('the end of no consent by an administrator', 'DELETE', `/admin/v1/oauth-consents/${none}`, adminKey);
    await ask('no consents', 'GET', path);
  },
};
