import { describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listLedger, listUsage, remainingCredits } from './support/audit.js';
import { ledgerEntry, usageEvent } from './support/audit-shapes.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { expectShape } from './support/expect-shape.js';
import { send, type Reply } from './support/http.js';
import { asArray, asObject, type JsonObject } from './support/json.js';

const run = Date.now().toString(36);

describe('an import of model calls', () => {
  const importPath = '/admin/v1/usage-events:import';
  const row = (account: TestAccount, id: string, more: JsonObject = {}): JsonObject => ({
    import_id: `${run}-${id}`,
    account_id: account.accountId,
    model: 'large-1',
    occurred_at: new Date().toISOString(),
    amount_credits: 2,
    ...more,
  });
  const itemsOf = (reply: Reply): JsonObject[] =>
    asArray(asObject(reply.json['data'], 'data')['items']).map((item) => asObject(item));

  it('charges each once, leaves a usage event and reports row by row', async () => {
    const account = await newAccount(5);
    const first = row(account, 'a', { session_id: 'a task' });
    const lines = [first, row(account, 'b', { amount_credits: 4 }), 'no JSON', { import_id: 'c' }];
    const rawBody = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    const reply = await send('POST', importPath, { key: adminKey, rawBody, headers });
    expect(reply.status).toBe(200);
    expect(itemsOf(reply).map(({ status, code }) => code ?? status)).toEqual([
      'imported',
      'insufficient_credits',
      'validation_error',
      'validation_error',
    ]);
    const again = await send('POST', importPath, {
      key: adminKey,
      body: { events: [first, { ...first, model: 'other' }] },
    });
    expect(itemsOf(again).map(({ status }) => status)).toEqual(['duplicate', 'conflict']);
    expect(await remainingCredits(account.key)).toBe(3);
    const usage = await eventually(async () => {
      const rows = await listUsage(account.key, { event_type: 'model_call' });
      expect(rows).toHaveLength(1);
      expect(asObject(rows[0])['billing_snapshot_status']).toBe('settled');
      return asObject(rows[0]);
    });
    expectShape(usage, usageEvent);
    expect(usage).toMatchObject({
      model: 'large-1',
      session_id: 'a task',
      charge_outcome: 'charged',
      source_ref_type: 'import',
    });
    const [entry] = await listLedger(account.key);
    expectShape(entry, ledgerEntry);
    expect(entry).toMatchObject({
      entry_type: 'consume_model_call',
      amount_credits: -2,
      id: usage['credits_ledger_entry_id'],
    });
  });

  it.each([[{ events: [] }], [{ events: 'all' }], [{}], [{ events: [{}], more: 1 }], [[]]])(
    'of %j is refused with 422',
    async (body) => {
      expect((await send('POST', importPath, { key: adminKey, body })).status).toBe(422);
    },
  );

  it('is for administrators', async () => {
    const { key } = await newAccount(0);
    expect((await send('POST', importPath, { key, body: { events: [{}] } })).status).toBe(403);
  });
});
