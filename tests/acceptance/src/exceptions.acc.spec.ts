import { beforeAll, describe, expect, it } from '@jest/globals';
import { usageEvent } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listLedger, listUsage, remainingCredits, settledUsageOf } from './support/audit.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { send, type Reply } from './support/http.js';
import { asArray, asObject, asString, type JsonObject } from './support/json.js';
import { micro } from './support/money.js';
import { paidCall, priceOf } from './support/tools.js';

const run = Date.now().toString(36);
let commands = 0;
const newKey = (): string => `exceptions-${run}-${(commands += 1)}`;

let price: number;
beforeAll(async () => {
  price = await priceOf((await newAccount(1)).key, paidCall.toolId);
});

/** A call that is charged; its execution id. */
async function paid({ key }: TestAccount): Promise<string> {
  const reply = await execute(key, paidCall);
  const executionId = asString(reply.json['execution_id'], 'execution_id');
  await settledUsageOf(key, executionId);
  return executionId;
}

const report = (
  executionId: string,
  body: unknown = { reason_code: 'provider.error' },
  key = adminKey,
): Promise<Reply> => send('POST', `/admin/v1/executions/${executionId}/outcome-revisions`, { key, body });

const get = (path: string, key = adminKey): Promise<Reply> => send('GET', `/admin/v1/exceptions${path}`, { key });

async function exceptionsOf(account: TestAccount, query = ''): Promise<JsonObject[]> {
  const reply = await get(`?account_id=${account.accountId}${query}`);
  expect(reply.status).toBe(200);
  return asArray(asObject(reply.json['data'])['items']).map((item) => asObject(item));
}

/** The one open exception of an account, as soon as it is there. */
const openException = (account: TestAccount): Promise<JsonObject> =>
  eventually(async () => {
    const [found, ...others] = await exceptionsOf(account);
    expect(found).toBeDefined();
    expect(others).toEqual([]);
    return asObject(found);
  });

function resolve(
  exceptionId: unknown,
  how: string,
  body: unknown = { note: 'for a test' },
  key = newKey(),
): Promise<Reply> {
  const headers = { 'idempotency-key': key };
  return send('POST', `/admin/v1/exceptions/${String(exceptionId)}/${how}`, { key: adminKey, body, headers });
}

const rowOf = (
  account: TestAccount,
  executionId: string,
  wanted: JsonObject,
  query: object = {},
): Promise<JsonObject> =>
  eventually(async () => {
    const [row] = await listUsage(account.key, { execution_id: executionId, ...query });
    expect(row).toMatchObject(wanted);
    return asObject(row);
  });

describe('a call that was charged and is reported as a failure', () => {
  it('is up for review in the audit and in the queue, and ends as not charged by a refund', async () => {
    const account = await newAccount();
    const executionId = await paid(account);
    const reported = await report(executionId, { reason_code: 'provider.error', reference: 'ticket-7' });
    expect(reported.status).toBe(201);
    expect(reported.json['data']).toMatchObject({
      execution_id: executionId,
      account_id: account.accountId,
      outcome: 'provider_failure',
      previous_outcome: 'success',
      reference: 'ticket-7',
    });
    const inReview = { charge_outcome: 'failed_charged_review', success: false, reason_code: 'provider.error' };
    const row = await rowOf(account, executionId, inReview, { anomaly: 'failed_charged_review' });
    expectShape(row, usageEvent);
    expect(row).toMatchObject({
      billable_success: false,
      outcome: 'provider_failure',
      billing_snapshot_status: 'settled',
    });
    expect(micro(row['settled_amount_credits'])).toBe(micro(price));
    const exception = await openException(account);
    expect(exception).toMatchObject({
      kind: 'failed_charged_review',
      state: 'open',
      execution_id: executionId,
      source_ref_type: 'execution',
      usage_event_id: row['id'],
      charged_credits: price,
      refunded_credits: 0,
      uncollected_credits: 0,
      ledger_entry_id: row['credits_ledger_entry_id'],
      actions: ['confirm', 'refund'],
    });

    const id = exception['exception_id'];
    expect((await resolve(id, 'write-off')).status).toBe(409);
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => resolve(id, 'refund', { note: 'for a test' }, key)),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.json['data']).toEqual(answers[0]?.json['data']);
    }
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(3);
    expect((await resolve(id, 'refund', { note: 'another' }, key)).status).toBe(409);
    expect((await resolve(id, 'confirm')).status).toBe(409);

    expect(await remainingCredits(account.key)).toBe(account.initialCredits);
    await rowOf(account, executionId, { charge_outcome: 'failed_not_charged', actual_amount_credits: 0 });
    expect(await listUsage(account.key, { anomaly: 'failed_charged_review' })).toEqual([]);
    expect((await listLedger(account.key)).map((entry) => entry['entry_type'])).toEqual([
      'grant_charge_refund',
      'consume_tool_execute',
      'grant_welcome_bonus',
    ]);
    expect(await exceptionsOf(account)).toEqual([]);
    const shown = asObject((await get(`/${String(id)}`)).json['data']);
    expect(shown).toMatchObject({ state: 'refunded', refunded_credits: price, actions: [] });
    expect(asArray(shown['history'])).toMatchObject([
      { action: 'refunded', note: 'for a test', amount_credits: price },
    ]);
  });

  it('can be confirmed: the charge stands, and the decision with who and why', async () => {
    const account = await newAccount();
    const executionId = await paid(account);
    await report(executionId);
    const { exception_id: id } = await openException(account);
    const confirmed = await resolve(id, 'confirm', { note: 'it was delivered', reference: 'ticket-8' });
    expect([confirmed.status, asObject(confirmed.json['data'])['state']]).toEqual([200, 'confirmed']);
    const [closed] = await exceptionsOf(account, '&state=closed');
    expect(closed).toMatchObject({ exception_id: id, state: 'confirmed' });
    const history = asArray(asObject((await get(`/${String(id)}`)).json['data'])['history']);
    expect(history).toMatchObject([{ action: 'confirmed', note: 'it was delivered', reference: 'ticket-8' }]);
    expect(asString(asObject(history[0])['acted_by'], 'acted_by')).not.toBe('');
    expect(micro(await remainingCredits(account.key))).toBe(micro(account.initialCredits) - micro(price));
  });

  it('is reported once, however often and at once; a second report that says otherwise is a conflict', async () => {
    const account = await newAccount();
    const executionId = await paid(account);
    const replies = await Promise.all(Array.from({ length: 5 }, () => report(executionId)));
    for (const reply of replies) {
      expect(reply.status).toBe(201);
      expect(reply.json['data']).toEqual(replies[0]?.json['data']);
    }
    expect((await report(executionId, { reason_code: 'result.empty' })).status).toBe(409);
    await openException(account);
  });

  it('may be reported at once, before it is settled', async () => {
    const account = await newAccount();
    const reply = await execute(account.key, paidCall);
    const executionId = asString(reply.json['execution_id'], 'execution_id');
    expect((await report(executionId)).status).toBe(201);
    await rowOf(account, executionId, { charge_outcome: 'failed_charged_review', billing_snapshot_status: 'settled' });
    expect(await openException(account)).toMatchObject({ charged_credits: price });
  });
});

describe('the exceptions queue', () => {
  it('is read newest first, page by page, by cursors that are good for the same filters only', async () => {
    const account = await newAccount();
    const reported: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      const executionId = await paid(account);
      await report(executionId);
      await eventually(async () => expect(await exceptionsOf(account)).toHaveLength(i + 1));
      reported.unshift(executionId);
    }
    const seen: unknown[] = [];
    let cursor = '';
    for (;;) {
      const reply = await get(`?account_id=${account.accountId}&page_size=1${cursor}`);
      const page = asObject(reply.json['data']);
      seen.push(...asArray(page['items']).map((item) => asObject(item)['execution_id']));
      if (page['has_more'] !== true) break;
      cursor = `&cursor=${asString(page['next_cursor'], 'next_cursor')}`;
      expect(seen.length).toBeLessThan(4);
    }
    expect(seen).toEqual(reported);
    expect((await get(`?page_size=1${cursor}`)).status).toBe(422);
    const byExecution = await exceptionsOf(account, `&execution_id=${reported[1] ?? ''}&kind=failed_charged_review`);
    expect(byExecution.map((one) => one['execution_id'])).toEqual([reported[1]]);
    expect(await exceptionsOf(account, '&kind=missing_hold')).toEqual([]);
  });

  it.each([
    ['state=half', 'state'],
    ['kind=odd', 'kind'],
    ['account_id=acc_1', 'account_id'],
    ['execution_id=led_1', 'execution_id'],
    ['page_size=0', 'page_size'],
    ['page_size=201', 'page_size'],
    ['page_size=many', 'page_size'],
    ['cursor=abc', 'cursor'],
    ['cursor=MS4x', 'cursor'],
  ])('refuses the query %s by name', async (query, name) => {
    const reply = await get(`?${query}`);
    expect([reply.status, JSON.stringify(reply.json['detail'])]).toEqual([422, expect.stringContaining(name)]);
  });

  it('is for administrators', async () => {
    const { key } = await newAccount();
    const executionId = await paid(await newAccount());
    expect((await get('', key)).status).toBe(403);
    expect((await get(`/xcp_${'0'.repeat(32)}`, key)).status).toBe(403);
    expect((await report(executionId, undefined, key)).status).toBe(403);
  });

  it('knows no other exceptions and no other decisions', async () => {
    expect((await get(`/xcp_${'0'.repeat(32)}`)).status).toBe(404);
    expect((await get('/xcp_1')).status).toBe(404);
    expect((await resolve(`xcp_${'0'.repeat(32)}`, 'confirm')).status).toBe(404);
    expect((await resolve(`xcp_${'0'.repeat(32)}`, 'constructor')).status).toBe(404);
  });

  it('takes no decision without a key and a note, and changes nothing', async () => {
    const account = await newAccount();
    await report(await paid(account));
    const { exception_id: id } = await openException(account);
    const refused: [Promise<Reply>, string][] = [
      [
        send('POST', `/admin/v1/exceptions/${String(id)}/refund`, { key: adminKey, body: { note: 'n' } }),
        'Idempotency-Key',
      ],
      [resolve(id, 'refund', {}), 'note'],
      [resolve(id, 'refund', { note: '' }), 'note'],
      [resolve(id, 'refund', { note: 7 }), 'note'],
      [resolve(id, 'refund', { note: 'a\u0000b' }), 'note'],
      [resolve(id, 'refund', { note: 'n', reference: 'two words' }), 'reference'],
      [resolve(id, 'refund', { note: 'n', amount_credits: 1 }), 'amount_credits'],
    ];
    for (const [sent, name] of refused) {
      const reply = await sent;
      expect([reply.status, JSON.stringify(reply.json)]).toEqual([422, expect.stringContaining(name)]);
    }
    expect(await openException(account)).toMatchObject({ exception_id: id, refunded_credits: 0 });
    expect(micro(await remainingCredits(account.key))).toBe(micro(account.initialCredits) - micro(price));
  });
});

describe('a report about an execution', () => {
  it('is refused of what did not succeed, and of what is not known', async () => {
    const account = await newAccount();
    const refused = await execute(account.key, { ...paidCall, parameters: { nothing: 'of what it needs' } });
    expect(refused.json['success']).not.toBe(true);
    expect((await report(asString(refused.json['execution_id'], 'execution_id'))).status).toBe(409);
    expect((await report(`exec_${'0'.repeat(32)}`)).status).toBe(404);
    expect((await report('exec_1')).status).toBe(404);
  });

  it.each([
    [{}, 'reason_code'],
    [{ reason_code: 'result.valid' }, 'reason_code'],
    [{ reason_code: 'insufficient_credits' }, 'reason_code'],
    [{ reason_code: 7 }, 'reason_code'],
    [{ reason_code: 'provider.error', reference: 'two words' }, 'reference'],
    [{ reason_code: 'provider.error', reference: '' }, 'reference'],
    [{ reason_code: 'provider.error', note: 'unknown here' }, 'note'],
  ])('is refused as %j', async (body, name) => {
    const reply = await report(`exec_${'0'.repeat(32)}`, body);
    expect([reply.status, JSON.stringify(reply.json['detail'])]).toEqual([422, expect.stringContaining(name)]);
  });
});
