import { admin, newAccount } from '../../support/accounts.js';
import type { Reply } from '../../support/http.js';
import { everywhere } from '../everywhere.js';
import { manifestOf } from '../corpus-provider.js';
import type { Slice } from '../slice.js';

const list = '/api/v1/auth/provider-credentials';

/** The credentials that an account shows providers. */
export const accountCredentials: Slice = {
  name: 'account-credentials',
  async run(wire, provider) {
    const { key } = await newAccount(7.5);
    wire.caller('anna', key);
    const personal = `${provider.id}own`;
    wire.name('provider of own credentials', personal);
    await admin('PUT', `/providers/${personal}`, manifestOf(provider, personal, { credential: 'account' }));
    const path = `${list}/${personal}`;
    await everywhere(['GET', path, { key }], ({ status }) => status === 200);
    const ask = (title: string, method: string, at = path, body?: unknown): Promise<Reply> =>
      wire.ask(title, method, at, { key, ...(body === undefined ? {} : { body }) });

    await ask('none are set', 'GET');
    await ask('none in the list', 'GET', list);
    await wire.ask('a call without them', 'POST', '/api/v1/tools/execute', {
      key,
      body: { tool_id: `${personal}.things.get.v1`, parameters: {} },
    });
    await ask('they are set', 'PUT', path, { fields: { token: 'sesame-9' } });
    await ask('they are shown without their values', 'GET');
    await ask('they are in the list', 'GET', list);
    await ask('a page of the list', 'GET', `${list}?limit=1&after=a`);
    await ask('they are deleted', 'DELETE');
    await ask('they are deleted again', 'DELETE');

    await ask('no fields', 'PUT', path, {});
    await ask('an unknown field', 'PUT', path, { fields: { api_key: 'sesame-9' } });
    await ask('a field that is a number', 'PUT', path, { fields: { token: 1 } });
    await ask('a field with a line break', 'PUT', path, { fields: { token: 'sesame\r\nx-admin: 1' } });
    await ask('a field that is too long', 'PUT', path, { fields: { token: 's'.repeat(9_000) } });
    await ask('an unknown member', 'PUT', path, { fields: { token: 'sesame-9' }, more: 1 });
    await ask('a list', 'PUT', path, []);
    await wire.ask('nothing', 'PUT', path, { key });
    await ask('of a provider that wants none of accounts', 'PUT', `${list}/${provider.id}`, { fields: { token: 't' } });
    await ask('of a provider that there is not', 'PUT', `${list}/nobody`, { fields: { token: 't' } });
    await ask('shown of a provider that there is not', 'GET', `${list}/nobody`);
    await ask('deleted of a provider that there is not', 'DELETE', `${list}/nobody`);
    await ask('deleted of a provider that is none', 'DELETE', `${list}/No.Body`);
    for (const fault of ['limit=0', 'limit=x', 'limit=100000', 'other=1']) {
      await ask(`the list, refused: ${fault}`, 'GET', `${list}?${fault}`);
    }
  },
};
