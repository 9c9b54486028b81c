import { beforeAll, describe, expect, it } from '@jest/globals';
import { credits, envelope, ledgerEntry, listWrapper, usageEvent } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listLedger, listUsage, remainingCredits, settledUsageOf } from './support/audit.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { call, send, type Reply } from './support/http.js';
import { asArray, asObject, asString, type JsonObject } from './support/json.js';
import { micro } from './support/money.js';
import { paidCall, priceOf } from './support/tools.js';

const run = Date.now().toString(36);
let commands = 0;
const newKey = (): string => `${run}-${(commands += 1)}`;

/** A command about an account, as an administrator sends it. */
function command(accountId: string, path: string, body: unknown, idempotencyKey = newKey()): Promise<Reply> {
  const headers = { 'idempotency-key': idempotencyKey };
  return send('POST', `/admin/v1/accounts/${accountId}/${path}`, { key: adminKey, body, headers });
}

async function done(reply: Promise<Reply>): Promise<JsonObject> {
  const { status, json, text } = await reply;
  if (status !== 201) throw new Error(`answered ${status}: ${text}`);
  return asObject(json['data'], 'data');
}

const daysFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

let price: number;
beforeAll(async () => {
  price = await priceOf((await newAccount(1)).key, paidCall.toolId);
});

const grantsOf = (accountId: string): Promise<Reply> =>
  send('GET', `/admin/v1/accounts/${accountId}/grants`, { key: adminKey });

/** An account without credits, of which billing has heard. */
async function newEmptyAccount(): Promise<TestAccount> {
  const account = await newAccount(0);
  await eventually(async () => expect((await grantsOf(account.accountId)).status).toBe(200));
  return account;
}

/** A call that is charged; its execution id. */
async function paid({ key }: TestAccount): Promise<string> {
  const reply = await execute(key, paidCall);
  expect(reply.status).toBe(200);
  const executionId = asString(reply.json['execution_id'], 'execution_id');
  await settledUsageOf(key, executionId);
  return executionId;
}

async function listedFor({ accountId }: TestAccount): Promise<JsonObject[]> {
  const reply = await grantsOf(accountId);
  return asArray(asObject(reply.json['data'])['items']).map((item) => asObject(item));
}

/** A grant that ends soon, and what is left of it and of another one after a call. */
async function callBeforeTheEnd(lifeMs = 8_000): Promise<{
  account: TestAccount;
  soon: JsonObject;
  seen: JsonObject[];
}> {
  const account = await newAccount(price);
  const endsMs = Date.now() + lifeMs;
  const soon = await done(
    command(account.accountId, 'grants', {
      category: 'purchased',
      amount_credits: price * 2,
      expires_at: new Date(endsMs).toISOString(),
    }),
  );
  await paid(account);
  const seen = await listedFor(account);
  // A busy machine may take longer for the call than the grant lives: then one that lives longer.
  return Date.now() < endsMs ? { account, soon, seen } : callBeforeTheEnd(lifeMs * 2);
}

describe('a grant', () => {
  it.each([
    ['purchased', 'grant_payment_recharge'],
    ['invite_reward', 'grant_invitation_reward'],
    ['welcome_bonus', 'grant_welcome_bonus'],
    ['trial', 'grant_welcome_bonus'],
  ])('of category %s can be spent at once and is a %s in the ledger', async (category, entryType) => {
    const account = await newEmptyAccount();
    const body = {
      category,
      amount_credits: 12.5,
      expires_at: daysFromNow(30),
      reference: 'invoice-7',
      note: 'for a test',
    };
    const paid = category === 'purchased' ? { paid_amount: '9.90', paid_currency: 'EUR' } : {};
    const granted = await done(command(account.accountId, 'grants', { ...body, ...paid }));
    expect(await remainingCredits(account.key)).toBe(12.5);
    const [entry] = await listLedger(account.key);
    expectShape(entry, ledgerEntry);
    expect(entry).toMatchObject({ id: granted['grant_id'], entry_type: entryType, amount_credits: 12.5 });
    expect(asObject(entry)['ledger_metadata']).toEqual({ category, reference: 'invoice-7', ...paid });
    expect(asObject(entry)['lots']).toEqual([{ lot_id: granted['grant_id'], category, amount_credits: 12.5 }]);
    expect(await listedFor(account)).toMatchObject([{ grant_id: granted['grant_id'], ...paid }]);
    expect(JSON.stringify(entry)).not.toContain('for a test');
    const shown = await call('GET', '/auth/credits', { key: account.key });
    expectShape(shown.json, envelope(credits));
    expect(asObject(asObject(shown.json['data'])[category])['remaining']).toBe(12.5);
  });

  it('is booked once per key, however often and at once it is sent', async () => {
    const account = await newEmptyAccount();
    const body = { category: 'purchased', amount_credits: 5 };
    const key = newKey();
    const replies = await Promise.all(Array.from({ length: 8 }, () => command(account.accountId, 'grants', body, key)));
    for (const reply of replies) {
      expect(reply.status).toBe(201);
      expect(reply.json['data']).toEqual(replies[0]?.json['data']);
    }
    expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(7);
    expect(await remainingCredits(account.key)).toBe(5);
    expect((await command(account.accountId, 'grants', { ...body, amount_credits: 6 }, key)).status).toBe(409);
    expect((await command((await newEmptyAccount()).accountId, 'grants', body, key)).status).toBe(409);
    expect(await remainingCredits(account.key)).toBe(5);
  });

  it('burns before one that ends later, and lapses when its time has come', async () => {
    const { account, soon, seen } = await callBeforeTheEnd();
    const listed = (): Promise<JsonObject[]> => listedFor(account);
    expect(seen.map((grant) => [grant['grant_id'] === soon['grant_id'], grant['remaining_credits']])).toEqual([
      [true, price],
      [false, price],
    ]);
    await eventually(async () => expect((await listed())[0]?.['remaining_credits']).toBe(0));
    expect(await remainingCredits(account.key)).toBe(price);
    const [entry] = await listLedger(account.key);
    expectShape(entry, ledgerEntry);
    expect(entry).toMatchObject({ entry_type: 'consume_grant_expiry', amount_credits: -price });
  });
});

describe('a refund', () => {
  it('gives a charge back, in parts, and the audit follows', async () => {
    const account = await newAccount();
    const executionId = await paid(account);
    const half = Math.floor(micro(price) / 2) / 1e6;
    const first = await done(
      command(account.accountId, 'refunds', { execution_id: executionId, amount_credits: half }),
    );
    expect(first).toMatchObject({ entry_type: 'grant_charge_refund', charged_credits: price, refunded_credits: half });
    const rowWith = (actual: number): Promise<JsonObject> =>
      eventually(async () => {
        const [row] = await listUsage(account.key, { execution_id: executionId });
        expect(micro(asObject(row)['actual_amount_credits'])).toBe(micro(actual));
        return asObject(row);
      });
    expect(await rowWith((micro(price) - micro(half)) / 1e6)).toMatchObject({ charge_outcome: 'charged' });
    await done(command(account.accountId, 'refunds', { execution_id: executionId }));
    const row = await rowWith(0);
    expectShape(row, usageEvent);
    expect(row).toMatchObject({ charge_outcome: 'included', billing_snapshot_status: 'settled' });
    expect(micro(row['settled_amount_credits'])).toBe(micro(price));
    expect(await remainingCredits(account.key)).toBe(account.initialCredits);
    const again = await command(account.accountId, 'refunds', { execution_id: executionId });
    expect([again.status, again.json['message']]).toEqual([409, expect.stringContaining('refunded before')]);
    const ledger = await call('GET', '/auth/credits/ledger', { key: account.key });
    expectShape(ledger.json, envelope(listWrapper(ledgerEntry)));
    expect((await listLedger(account.key)).map((entry) => entry['entry_type'])).toEqual([
      'grant_charge_refund',
      'grant_charge_refund',
      'consume_tool_execute',
      'grant_welcome_bonus',
    ]);
  });

  it('happens once when it is asked for twice at the same moment', async () => {
    const account = await newAccount();
    const executionId = await paid(account);
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => command(account.accountId, 'refunds', { execution_id: executionId })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await remainingCredits(account.key)).toBe(account.initialCredits);
  });

  it('knows no charge of another account', async () => {
    const account = await newAccount();
    const executionId = await paid(account);
    const other = await newAccount();
    expect((await command(other.accountId, 'refunds', { execution_id: executionId })).status).toBe(404);
  });
});

describe('money that is returned to a payer', () => {
  it('leaves the top-up that it paid for, as far as it was not spent', async () => {
    const account = await newEmptyAccount();
    const topUp = await done(
      command(account.accountId, 'grants', { category: 'purchased', amount_credits: price * 3 }),
    );
    await paid(account);
    const body = { grant_id: topUp['grant_id'] };
    expect((await command(account.accountId, 'payment-refunds', { ...body, amount_credits: price * 3 })).status).toBe(
      409,
    );
    expect(await done(command(account.accountId, 'payment-refunds', body))).toMatchObject({
      entry_type: 'consume_payment_refund',
      balance_credits: 0,
    });
    expect(await remainingCredits(account.key)).toBe(0);
    expect((await execute(account.key, paidCall)).status).toBe(402);
  });
});

describe('a correction', () => {
  it('takes, and is undone by one that names it', async () => {
    const account = await newAccount(10);
    const taken = await done(command(account.accountId, 'corrections', { amount_credits: -4 }));
    expect(taken).toMatchObject({ entry_type: 'consume_correction', balance_credits: 6 });
    const body = { amount_credits: 4, ledger_entry_id: taken['ledger_entry_id'] };
    expect(await done(command(account.accountId, 'corrections', body))).toMatchObject({
      entry_type: 'grant_correction',
      balance_credits: 10,
    });
    expect((await command(account.accountId, 'corrections', body)).status).toBe(409);
    expect((await command(account.accountId, 'corrections', { amount_credits: -10.000001 })).status).toBe(409);
    expect(await remainingCredits(account.key)).toBe(10);
  });
});

describe('what administrators send', () => {
  const grant = { category: 'purchased', amount_credits: 1 };
  const entry = `led_${'0'.repeat(32)}`;
  let account: TestAccount;
  beforeAll(async () => {
    account = await newAccount(7);
  });

  it.each<[string, unknown, string]>([
    ['grants', { ...grant, amount_credits: 0 }, 'amount_credits'],
    ['grants', { ...grant, amount_credits: -1 }, 'amount_credits'],
    ['grants', { ...grant, amount_credits: '1' }, 'amount_credits'],
    ['grants', { ...grant, amount_credits: 0.0000001 }, 'amount_credits'],
    ['grants', { ...grant, amount_credits: 1e300 }, 'amount_credits'],
    ['grants', { ...grant, category: 'daily_free' }, 'category'],
    ['grants', { amount_credits: 1 }, 'category'],
    ['grants', { ...grant, expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['grants', { ...grant, expires_at: '2040-01-01' }, 'expires_at'],
    ['grants', { ...grant, expires_at: 'soon' }, 'expires_at'],
    ['grants', { ...grant, reference: 'Jane Doe' }, 'reference'],
    ['grants', { ...grant, surprise: 1 }, 'surprise'],
    ['refunds', {}, 'ledger_entry_id'],
    ['refunds', { ledger_entry_id: entry, execution_id: `exec_${'0'.repeat(32)}` }, 'ledger_entry_id'],
    ['refunds', { execution_id: 'exec_1' }, 'execution_id'],
    ['refunds', { source_ref_id: 'imp_1' }, 'source_ref_id'],
    ['refunds', { usage_event_id: 'exec_1' }, 'usage_event_id'],
    ['refunds', { ledger_entry_id: entry, source_ref_id: `imp_${'0'.repeat(32)}` }, 'ledger_entry_id'],
    ['refunds', { ledger_entry_id: entry, amount_credits: 0 }, 'amount_credits'],
    ['payment-refunds', { grant_id: 'led_1' }, 'grant_id'],
    ['corrections', { amount_credits: 0 }, 'amount_credits'],
    ['corrections', { amount_credits: 1 }, 'category'],
    ['corrections', { amount_credits: -1, category: 'purchased' }, 'category'],
    ['corrections', { amount_credits: -1, expires_at: daysFromNow(1) }, 'expires_at'],
  ])('to %s is refused with 422 that names the field, where it is %j', async (path, body, field) => {
    const reply = await command(account.accountId, path, body);
    expect(reply.status).toBe(422);
    expect(asArray(reply.json['detail']).map((fault) => asArray(asObject(fault)['loc']).at(-1))).toContain(field);
    expect(await remainingCredits(account.key)).toBe(7);
  });

  it('needs an Idempotency-Key', async () => {
    const reply = await send('POST', `/admin/v1/accounts/${account.accountId}/grants`, { key: adminKey, body: grant });
    expect([reply.status, reply.json['message']]).toEqual([422, expect.stringContaining('Idempotency-Key')]);
    expect((await command(account.accountId, 'grants', grant, 'x'.repeat(256))).status).toBe(422);
    expect(await remainingCredits(account.key)).toBe(7);
  });

  it('is about an account that there is', async () => {
    for (const id of [`acc_${'0'.repeat(32)}`, 'acc_1']) {
      expect((await command(id, 'grants', grant)).status).toBe(404);
      expect((await command(id, 'corrections', { amount_credits: -1 })).status).toBe(404);
      expect((await grantsOf(id)).status).toBe(404);
    }
  });

  it.each(['grants', 'refunds', 'payment-refunds', 'corrections'])('to %s is for administrators', async (path) => {
    const headers = { 'idempotency-key': newKey() };
    const options = { key: account.key, body: grant, headers };
    expect((await send('POST', `/admin/v1/accounts/${account.accountId}/${path}`, options)).status).toBe(403);
    expect(await remainingCredits(account.key)).toBe(7);
  });
});
