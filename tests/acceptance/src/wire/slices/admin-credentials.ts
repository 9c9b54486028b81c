import { admin, newAccount } from '../../support/accounts.js';
import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import type { JsonObject } from '../../support/json.js';
import { manifestOf } from '../corpus-provider.js';
import { everywhere } from '../everywhere.js';
import type { Slice } from '../slice.js';

/** The credentials that the deployment shows providers, and the providers that are left alone. */
export const adminCredentials: Slice = {
  name: 'admin-credentials',
  async run(wire, provider) {
    const { key } = await newAccount(7.5);
    wire.caller('anna', key);
    const [shared, personal] = [`${provider.id}shared`, `${provider.id}theirs`];
    wire.name('shared provider', shared);
    wire.name('provider of own credentials', personal);
    await admin('PUT', `/providers/${shared}`, manifestOf(provider, shared));
    await admin('PUT', `/providers/${personal}`, manifestOf(provider, personal, { credential: 'account' }));
    const pathOf = (id: string): string => `/admin/v1/providers/${id}/credentials`;
    for (const id of [shared, personal]) {
      await everywhere(['GET', pathOf(id), { key: adminKey }], ({ status }) => status === 200);
    }
    const ask = (title: string, method: string, path = pathOf(shared), body?: unknown): Promise<Reply> =>
      wire.ask(title, method, path, { key: adminKey, ...(body === undefined ? {} : { body }) });

    await ask('none are set', 'GET');
    await wire.ask('a call without them', 'POST', '/api/v1/tools/execute', {
      key,
      body: { tool_id: `${shared}.things.get.v1`, parameters: {} },
    });
    await ask('they are set', 'PUT', pathOf(shared), { fields: { token: 'sesame-9' } });
    await ask('they are shown without their values', 'GET');
    const ours = (item: JsonObject): boolean => item['provider_id'] === shared;
    await wire.ask('they are in the list', 'GET', `/admin/v1/provider-credentials?limit=1&after=${provider.id}`, {
      key: adminKey,
      only: ours,
      hides: ['sealed_with', 'next_after'],
    });
    await wire.ask('they are sealed anew', 'POST', '/admin/v1/provider-credentials:rotate', {
      key: adminKey,
      hides: ['resealed'],
    });
    await ask('they are deleted', 'DELETE');
    await ask('they are deleted again', 'DELETE');
    const faults: readonly [string, unknown][] = [
      ['no fields', {}],
      ['an unknown field', { fields: { api_key: 'sesame-9' } }],
      ['a field that is a number', { fields: { token: 1 } }],
      ['a field with a line break', { fields: { token: 'sesame\r\nx-admin: 1' } }],
      ['a list', []],
    ];
    for (const [title, body] of faults) await ask(`refused: ${title}`, 'PUT', pathOf(shared), body);
    await wire.ask('refused: nothing', 'PUT', pathOf(shared), { key: adminKey });
    await ask('of a provider that accounts bring theirs for', 'PUT', pathOf(personal), { fields: { token: 't' } });
    await ask('of a provider that there is not', 'PUT', pathOf('nobody'), { fields: { token: 't' } });
    await ask('shown of a provider that there is not', 'GET', pathOf('nobody'));
    await ask('deleted of a provider that there is not', 'DELETE', pathOf('nobody'));
    await ask('the list, refused', 'GET', '/admin/v1/provider-credentials?limit=0');
    await ask('an unknown member of a rotation', 'POST', '/admin/v1/provider-credentials:rotate', { colour: 'red' });
    await ask('a position of a rotation that is none', 'POST', '/admin/v1/provider-credentials:rotate', { after: '?' });

    const failing = (item: JsonObject): boolean => item['provider_id'] === shared;
    await wire.ask('providers that are left alone', 'GET', '/admin/v1/provider-breakers', {
      key: adminKey,
      only: failing,
    });
  },
};
