import { describe, expect, it } from '@jest/globals';
import { ledgerEntry, usageEvent } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listLedger, listUsage, remainingCredits } from './support/audit.js';
import { caprouterAsAdmin } from './support/caprouter.js';
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

  it('is of the same source in audit and ledger, and its charge is given back by what names it anywhere', async () => {
    const account = await newAccount(5);
    const reply = await send('POST', importPath, { key: adminKey, body: { events: [row(account, 'k')] } });
    const [{ source_ref_id: ref, usage_event_id: event } = {}] = itemsOf(reply);
    const source = { source_system: 'admin', source_ref_type: 'import', source_ref_id: ref };
    const [entry] = await listLedger(account.key);
    expect(entry).toMatchObject(source);
    const audited = await eventually(async () => {
      const [found] = await listUsage(account.key, { event_type: 'model_call' });
      expect(found).toMatchObject({ id: event, ...source, credits_ledger_entry_id: asObject(entry)['id'] });
      return asObject(found);
    });
    const refunds = (owner: TestAccount): string => `/admin/v1/accounts/${owner.accountId}/refunds`;
    const refund = (body: JsonObject, owner = account): Promise<Reply> =>
      send('POST', refunds(owner), {
        key: adminKey,
        body: { amount_credits: 0.5, ...body },
        headers: { 'idempotency-key': `${run}-${JSON.stringify(body)}-${owner.accountId}` },
      });
    const other = await newAccount(5);
    for (const named of [
      { source_ref_id: ref },
      { usage_event_id: event },
      { ledger_entry_id: audited['credits_ledger_entry_id'] },
    ]) {
      const refunded = await refund(named);
      expect({ status: refunded.status, data: refunded.json['data'] }).toMatchObject({
        status: 201,
        data: { entry_type: 'grant_charge_refund', charge_entry_id: asObject(entry)['id'], charge_ref_id: ref },
      });
      const foreign = await refund(named, other);
      expect([foreign.status, foreign.json['message']]).toEqual([404, expect.stringContaining('no charge of')]);
    }
    expect(await remainingCredits(account.key)).toBe(4.5);
    const cli = await caprouterAsAdmin('grants', 'refund', account.accountId, String(ref));
    expect([cli.exitCode, cli.stdout]).toEqual([0, expect.stringContaining('grant_charge_refund  0.5  balance 5')]);
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
