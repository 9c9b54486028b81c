import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import { asObject, asString } from '../../support/json.js';
import type { Slice } from '../slice.js';

const accounts = '/admin/v1/accounts';
const keys = '/admin/v1/api-keys';
const nobody = `acc_${'0'.repeat(32)}`;
const noKey = '00000000-0000-7000-8000-000000000000';

/** Accounts, their keys, scopes, budgets, regions, revocation and erasure. */
export const adminAccounts: Slice = {
  name: 'admin-accounts',
  async run(wire, provider) {
    const ask = (title: string, method: string, path: string, body?: unknown): Promise<Reply> =>
      wire.ask(title, method, path, { key: adminKey, ...(body === undefined ? {} : { body }) });
    const idIn = (reply: Reply, member: string): string => asString(asObject(reply.json['data'])[member], member);
    const email = `${provider.id}@example.org`;

    const opened = await ask('an account', 'POST', accounts, { kind: 'formal', name: 'Anna', initial_credits: 12.5 });
    const accountId = idIn(opened, 'account_id');
    await ask('an account with everything', 'POST', accounts, {
      kind: 'formal',
      name: 'Ben',
      email,
      region: 'CH',
      initial_credits: 0,
    });
    await ask('a trial account', 'POST', accounts, { kind: 'trial', name: 'Cleo' });
    await ask('an e-mail address that is taken', 'POST', accounts, { kind: 'formal', name: 'Dora', email });
    const refusedAccounts: readonly [string, unknown][] = [
      ['no kind', { name: 'x' }],
      ['an unknown kind', { kind: 'royal', name: 'x' }],
      ['no name', { kind: 'formal' }],
      ['a name that is too long', { kind: 'formal', name: 'x'.repeat(201) }],
      ['a broken e-mail address', { kind: 'formal', name: 'x', email: 'x' }],
      ['an unknown region', { kind: 'formal', name: 'x', region: 'XX' }],
      ['negative credits', { kind: 'formal', name: 'x', initial_credits: -1 }],
      ['credits with seven decimals', { kind: 'formal', name: 'x', initial_credits: 0.0000001 }],
      ['credits as text', { kind: 'formal', name: 'x', initial_credits: '5' }],
      ['an unknown member', { kind: 'formal', name: 'x', colour: 'red' }],
      ['a list', []],
    ];
    for (const [title, body] of refusedAccounts) await ask(`an account with ${title}`, 'POST', accounts, body);
    await wire.ask('an account without a body', 'POST', accounts, { key: adminKey });

    const ofAnna = `${accounts}/${accountId}/api-keys`;
    const first = await ask('the first key', 'POST', ofAnna, { name: 'first' });
    const second = await ask('a key with scopes and budgets', 'POST', ofAnna, {
      name: 'second',
      scopes: ['read'],
      budget: { amount_credits: 5, period: 'month' },
      session_budget: { amount_credits: 0.5 },
    });
    await ask('a further key', 'POST', ofAnna, { name: 'third', scopes: null });
    await ask('the keys', 'GET', ofAnna);
    const refusedKeys: readonly [string, unknown][] = [
      ['no name', {}],
      ['an unknown scope', { name: 'x', scopes: ['root'] }],
      ['no scopes', { name: 'x', scopes: [] }],
      ['a budget of nothing', { name: 'x', budget: { amount_credits: 0, period: 'day' } }],
      ['an unknown period', { name: 'x', budget: { amount_credits: 1, period: 'year' } }],
      ['an unknown member', { name: 'x', colour: 'red' }],
    ];
    for (const [title, body] of refusedKeys) await ask(`a key with ${title}`, 'POST', ofAnna, body);
    await ask('a key of nobody', 'POST', `${accounts}/${nobody}/api-keys`, { name: 'x' });
    await ask('a key of no account id', 'POST', `${accounts}/nobody/api-keys`, { name: 'x' });
    await ask('the keys of nobody', 'GET', `${accounts}/${nobody}/api-keys`);

    const keyId = idIn(second, 'api_key_id');
    await ask('further scopes', 'POST', `${keys}/${keyId}/scopes`, { scopes: ['manage', 'read'] });
    await ask('unknown scopes', 'POST', `${keys}/${keyId}/scopes`, { scopes: ['root'] });
    await ask('scopes of no key', 'POST', `${keys}/${noKey}/scopes`, { scopes: ['read'] });
    await ask('scopes of no key id', 'POST', `${keys}/1/scopes`, { scopes: ['read'] });
    await ask('another budget', 'PATCH', `${keys}/${keyId}`, { budget: { amount_credits: 7.5, period: 'total' } });
    await ask('no budgets', 'PATCH', `${keys}/${keyId}`, { budget: null, session_budget: null });
    await ask('nothing to change', 'PATCH', `${keys}/${keyId}`, {});
    await ask('a broken budget', 'PATCH', `${keys}/${keyId}`, { session_budget: { amount_credits: '1' } });
    await ask('a budget of no key', 'PATCH', `${keys}/${noKey}`, { budget: null });
    // Keys of before scopes meant what they say; a fresh deployment has none.
    await wire.ask('narrowed keys', 'GET', '/admin/v1/narrowed-api-keys?limit=1', { key: adminKey, only: () => false });
    await ask('narrowed keys, refused', 'GET', '/admin/v1/narrowed-api-keys?limit=0');

    const secret = idIn(first, 'api_key');
    wire.caller('the first key', secret);
    await wire.ask('a key that is good', 'GET', '/api/v1/auth/credits', { key: secret });
    const firstId = idIn(first, 'api_key_id');
    const told = ({ text }: Reply): boolean => !text.includes('"pending"');
    await wire.ask('a revocation', 'DELETE', `${keys}/${firstId}`, { key: adminKey, until: told });
    await wire.ask('the revocation again', 'DELETE', `${keys}/${firstId}`, {
      key: adminKey,
      until: told,
      repeats: 'a revocation',
    });
    await wire.ask('the revoked key', 'GET', '/api/v1/auth/credits', { key: secret });
    await ask('the revocation of no key', 'DELETE', `${keys}/${noKey}`);
    await ask('scopes of a revoked key', 'POST', `${keys}/${firstId}/scopes`, { scopes: ['read'] });
    await ask('a budget of a revoked key', 'PATCH', `${keys}/${firstId}`, { budget: null });
    // Uses are recorded every few seconds.
    await wire.ask('the keys after a revocation', 'GET', ofAnna, {
      key: adminKey,
      until: ({ text }) => text.includes('"last_used_at"'),
    });

    const region = `${accounts}/${accountId}/region`;
    await ask('a region', 'PUT', region, { region: 'US' });
    await ask('no region', 'PUT', region, { region: null });
    await ask('an unknown region', 'PUT', region, { region: 'XX' });
    await ask('a region that is left out', 'PUT', region, {});
    await ask('a region of nobody', 'PUT', `${accounts}/${nobody}/region`, { region: 'US' });

    await wire.ask('an erasure', 'DELETE', `${accounts}/${accountId}`, { key: adminKey, until: told });
    await wire.ask('the erasure again', 'DELETE', `${accounts}/${accountId}`, {
      key: adminKey,
      until: told,
      repeats: 'an erasure',
    });
    await ask('the erasure of nobody', 'DELETE', `${accounts}/${nobody}`);
    await ask('a key of an erased account', 'POST', ofAnna, { name: 'late' });
    await ask('the keys of an erased account', 'GET', ofAnna);
    await ask('a region of an erased account', 'PUT', region, { region: 'US' });
  },
};
