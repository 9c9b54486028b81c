import { newAccount } from '../../support/accounts.js';
import { adminKey } from '../../support/environment.js';
import type { CallOptions, Reply } from '../../support/http.js';
import type { JsonObject } from '../../support/json.js';
import type { Slice } from '../slice.js';

const path = '/admin/v1/usage-events:import';
const ndjson = { 'content-type': 'application/x-ndjson' };

/** Model calls that an operator brings in. */
export const adminUsageImport: Slice = {
  name: 'admin-usage-import',
  async run(wire) {
    const { accountId, key } = await newAccount(5);
    wire.caller('anna', key);
    const ask = (title: string, options: CallOptions): Promise<Reply> =>
      wire.ask(title, 'POST', path, { key: adminKey, ...options });
    // The list has the order of these times.
    const beganMs = Date.now() - 60_000;
    const occurredAt = (id: string): string => new Date(beganMs + id.charCodeAt(0) * 100).toISOString();
    const row = (id: string, more: JsonObject = {}): JsonObject => ({
      import_id: id,
      account_id: accountId,
      model: 'large-1',
      occurred_at: occurredAt(id),
      amount_credits: 2,
      ...more,
    });

    await ask('rows of every kind', {
      rawBody: [
        JSON.stringify(row('a', { session_id: 'a task' })),
        JSON.stringify(row('b', { amount_credits: 4 })),
        'no JSON',
        JSON.stringify({ import_id: 'c' }),
        JSON.stringify(row('d', { account_id: `acc_${'0'.repeat(32)}` })),
        JSON.stringify(row('e', { amount_credits: 0 })),
      ].join('\n'),
      headers: ndjson,
    });
    await ask('some of them again', {
      body: { events: [row('a', { session_id: 'a task' }), row('a', { model: 'other' })] },
    });
    await ask('every field', {
      body: {
        events: [
          row('f', {
            amount_credits: 0.5,
            success: false,
            duration_ms: 12,
            input_tokens: 3,
            output_tokens: 4,
            more: 1,
          }),
          row('g', { amount_credits: -1, model: '', occurred_at: 'soon' }),
        ],
      },
    });
    await wire.ask('the usage of it', 'GET', '/api/v1/auth/usage/history/v2', {
      key,
      query: { event_type: 'model_call' },
      until: ({ text }) => text.split('"billing_snapshot_status":"settled"').length >= 2 && !text.includes('"pending"'),
    });
    await wire.ask('the ledger of it', 'GET', '/api/v1/auth/credits/ledger', { key });

    for (const body of [{ events: [] }, { events: 'all' }, {}, { events: [{}], more: 1 }, []]) {
      await ask(`refused: ${JSON.stringify(body)}`, { body });
    }
    await ask('no JSON', { rawBody: '{' });
    await ask('another content type', { rawBody: 'a,b', headers: { 'content-type': 'text/csv' } });
    await wire.ask('without the scope', 'POST', path, { key, body: { events: [{}] } });
  },
};
