import { newAccount } from '../../support/accounts.js';
import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import { asObject, asString } from '../../support/json.js';
import type { Slice } from '../slice.js';

const path = '/api/v1/auth/api-keys';
const noKey = '00000000-0000-7000-8000-000000000000';

/** The keys of an account, by the account itself; and their rotation by administrators, and the list of accounts. */
export const ownApiKeys: Slice = {
  name: 'own-api-keys',
  async run(wire) {
    const { accountId, key } = await newAccount(1);
    wire.caller('anna', key);
    const other = await newAccount(1);
    const ask = (title: string, method: string, of: string, body?: unknown): Promise<Reply> =>
      wire.ask(title, method, of, { key, ...(body === undefined ? {} : { body }) });
    const idIn = (reply: Reply): string => asString(asObject(reply.json['data'])['api_key_id'], 'api_key_id');

    const issued = await ask('a key', 'POST', path, {
      name: 'ci',
      scopes: ['read'],
      expires_at: '2999-01-01T00:00:00Z',
    });
    const id = idIn(issued);
    await ask('the newest key', 'GET', `${path}?limit=1`);
    await ask('a key with a scope that the own one lacks', 'POST', path, { name: 'x', scopes: ['admin'] });
    await ask('a key without a name', 'POST', path, { scopes: ['read'] });
    await ask('a key that has ended', 'POST', path, { name: 'x', expires_at: '2020-01-01T00:00:00Z' });
    await ask('keys, refused', 'GET', `${path}?limit=0`);
    const rotated = await ask('a rotation', 'POST', `${path}/${id}:rotate`, { overlap_seconds: 3_600 });
    await ask('a rotation, refused', 'POST', `${path}/${id}:rotate`, { overlap_seconds: -1 });
    await ask('a rotation of no key', 'POST', `${path}/${noKey}:rotate`, {});
    await ask("a rotation of another account's key", 'POST', `${path}/${other.keyId}:rotate`, {});
    await ask('another action', 'POST', `${path}/${id}:turn`, {});
    const told = ({ text }: Reply): boolean => !text.includes('"pending"');
    await wire.ask('a revocation', 'DELETE', `${path}/${idIn(rotated)}`, { key, until: told });
    await ask('a rotation of a revoked key', 'POST', `${path}/${idIn(rotated)}:rotate`, {});
    await ask('a revocation of no key', 'DELETE', `${path}/${noKey}`);
    await ask("a revocation of another account's key", 'DELETE', `${path}/${other.keyId}`);
    const byAdmin = { key: adminKey };
    await wire.ask('a rotation by an administrator', 'POST', `/admin/v1/api-keys/${id}:rotate`, byAdmin);

    const isOwn = (item: Record<string, unknown>): boolean => item['account_id'] === accountId;
    await wire.ask('the newest accounts', 'GET', '/admin/v1/accounts?limit=20', {
      ...byAdmin,
      only: isOwn,
      hides: ['next_cursor'],
    });
    await wire.ask('accounts, refused', 'GET', '/admin/v1/accounts?state=odd', byAdmin);
  },
};
