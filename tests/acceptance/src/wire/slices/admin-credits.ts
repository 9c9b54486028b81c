import { newAccount } from '../../support/accounts.js';
import { listLedger } from '../../support/audit.js';
import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import { asObject, asString } from '../../support/json.js';
import { settledCall } from '../settled.js';
import type { Slice } from '../slice.js';

const nobody = `acc_${'0'.repeat(32)}`;
const noEntry = `led_${'0'.repeat(32)}`;

/** Grants, refunds, returned payments and corrections. */
export const adminCredits: Slice = {
  name: 'admin-credits',
  async run(wire, provider) {
    const { accountId, key } = await newAccount(10);
    wire.caller('anna', key);
    let sent = 0;
    const command = (
      title: string,
      path: string,
      body: unknown,
      { of = accountId, idempotencyKey = `${provider.id}-${(sent += 1)}`, repeats = '' } = {},
    ): Promise<Reply> =>
      wire.ask(title, 'POST', `/admin/v1/accounts/${of}/${path}`, {
        key: adminKey,
        body,
        headers: { 'idempotency-key': idempotencyKey },
        ...(repeats === '' ? {} : { repeats }),
      });
    const get = (title: string, path: string): Promise<Reply> => wire.ask(title, 'GET', path, { key: adminKey });
    const idIn = (reply: Reply, member: string): string => asString(asObject(reply.json['data'])[member], member);

    const bought = { category: 'purchased', amount_credits: 12.5, reference: 'invoice-7', note: 'for a test' };
    const topUp = await command('a grant', 'grants', bought, { idempotencyKey: `${provider.id}-top-up` });
    await command('the grant again', 'grants', bought, {
      idempotencyKey: `${provider.id}-top-up`,
      repeats: 'a grant',
    });
    await command(
      'another grant under its key',
      'grants',
      { ...bought, amount_credits: 1 },
      {
        idempotencyKey: `${provider.id}-top-up`,
      },
    );
    await command('a grant that ends', 'grants', {
      category: 'invite_reward',
      amount_credits: 2,
      expires_at: '2090-01-01T00:00:00Z',
    });
    await command('a bonus', 'grants', { category: 'welcome_bonus', amount_credits: 0.000001 });
    await command('a trial grant', 'grants', { category: 'trial', amount_credits: 3 });
    await get('the grants', `/admin/v1/accounts/${accountId}/grants`);

    const executionId = await settledCall(key, provider, 'list');
    await command('a refund of a part', 'refunds', { execution_id: executionId, amount_credits: 0.2 });
    await command('a refund of more than is left', 'refunds', { execution_id: executionId, amount_credits: 0.4 });
    await command('a refund of the rest', 'refunds', { execution_id: executionId, note: 'worthless' });
    await command('a refund of what was refunded', 'refunds', { execution_id: executionId });
    const other = await settledCall(key, provider, 'count');
    const charge = (await listLedger(key)).find((entry) => entry['execution_id'] === other);
    await command('a refund by the entry', 'refunds', { ledger_entry_id: charge?.['id'] });
    await command('a refund of no charge', 'refunds', { ledger_entry_id: noEntry });
    const free = await settledCall(key, provider, 'free');
    await command('a refund of a free call', 'refunds', { execution_id: free });

    const grantId = idIn(topUp, 'grant_id');
    await command('a returned payment of a part', 'payment-refunds', { grant_id: grantId, amount_credits: 2.5 });
    await command('a returned payment of too much', 'payment-refunds', { grant_id: grantId, amount_credits: 20 });
    await command('a returned payment of the rest', 'payment-refunds', { grant_id: grantId });
    await command('a returned payment of nothing', 'payment-refunds', { grant_id: grantId });
    await command('a returned payment of no grant', 'payment-refunds', { grant_id: noEntry });

    const taken = await command('a correction that takes', 'corrections', {
      amount_credits: -4,
      reference: 'ticket-1',
    });
    const undone = { amount_credits: 4, ledger_entry_id: idIn(taken, 'ledger_entry_id') };
    await command('a correction that undoes it', 'corrections', undone);
    await command('it undone again', 'corrections', undone);
    await command('a correction that gives', 'corrections', { amount_credits: 1, category: 'purchased' });
    await command('a correction of more than there is', 'corrections', { amount_credits: -1000 });

    const faults: readonly [string, unknown][] = [
      ['grants', { category: 'purchased', amount_credits: 0 }],
      ['grants', { category: 'purchased', amount_credits: '1' }],
      ['grants', { category: 'purchased', amount_credits: 0.0000001 }],
      ['grants', { category: 'daily_free', amount_credits: 1 }],
      ['grants', { amount_credits: 1 }],
      ['grants', { category: 'purchased', amount_credits: 1, expires_at: '2020-01-01T00:00:00Z' }],
      ['grants', { category: 'purchased', amount_credits: 1, expires_at: '2090-01-01' }],
      ['grants', { category: 'purchased', amount_credits: 1, reference: 'Jane Doe' }],
      ['grants', { category: 'purchased', amount_credits: 1, surprise: 1 }],
      ['grants', []],
      ['refunds', {}],
      ['refunds', { ledger_entry_id: noEntry, execution_id: `exec_${'0'.repeat(32)}` }],
      ['refunds', { execution_id: 'exec_1' }],
      ['refunds', { ledger_entry_id: noEntry, amount_credits: 0 }],
      ['payment-refunds', {}],
      ['payment-refunds', { grant_id: 'led_1' }],
      ['corrections', { amount_credits: 0 }],
      ['corrections', { amount_credits: 1 }],
      ['corrections', { amount_credits: -1, category: 'purchased' }],
    ];
    for (const [path, body] of faults) await command(`${path}, refused: ${JSON.stringify(body)}`, path, body);
    await command('a grant to nobody', 'grants', bought, { of: nobody });
    await command('a grant to no account id', 'grants', bought, { of: 'nobody' });
    await command('a key with a space', 'grants', bought, { idempotencyKey: 'a b' });
    await wire.ask('no key', 'POST', `/admin/v1/accounts/${accountId}/grants`, { key: adminKey, body: bought });
    await get('the grants of nobody', `/admin/v1/accounts/${nobody}/grants`);
    // Behind every entry that there will be: what stands before it is of the whole deployment.
    const end = '999999999999999999:0';
    const entries = (title: string, query: Record<string, string>): Promise<Reply> =>
      wire.ask(title, 'GET', '/admin/v1/ledger-entries', { key: adminKey, query });
    await entries('entries of all accounts, behind the last', { cursor: end });
    await entries('the same as CSV', { cursor: end, format: 'csv' });
    await entries('entries behind no cursor', { cursor: 'led_1' });
    await entries('entries in no format', { format: 'xml' });
    await entries('a page without entries', { page_size: '0' });
    await get('the grants after all', `/admin/v1/accounts/${accountId}/grants`);
    await wire.ask('the ledger after all', 'GET', '/api/v1/auth/credits/ledger', { key });
    await wire.ask('the credits after all', 'GET', '/api/v1/auth/credits', { key });
    await wire.ask('readiness after all', 'GET', '/api/v1/auth/credits/ledger-readiness', { key });
    await wire.ask('the usage of what was refunded', 'GET', '/api/v1/auth/usage/history/v2', {
      key,
      query: { execution_id: executionId },
      until: ({ text }) => text.includes('"actual_amount_credits":0,'),
    });
  },
};
