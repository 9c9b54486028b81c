import { beforeAll, describe, expect, it } from '@jest/globals';
import { failedResponse } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, remainingCredits, settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { asObject } from './support/json.js';
import { emptyCall, failingCall, type KnownCall } from './support/tools.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

/** Runs a call that must not be charged, and gives its answer and its audit row. */
async function expectNotCharged(
  known: KnownCall,
): Promise<{ body: Record<string, unknown>; row: Record<string, unknown> }> {
  const before = await remainingCredits(account.key);
  const reply = await execute(account.key, known);
  expect(reply.status).toBe(200);
  expectShape(reply.json, failedResponse);
  expect(asObject(reply.json['billing'] ?? { list_amount_credits: 0 })['list_amount_credits']).toBe(0);
  expect(reply.json['cost'] ?? 0).toBe(0);
  expect(reply.json['remaining_credits'] ?? before).toBe(before);
  const row = await settledUsageOf(account.key, reply.json['execution_id']);
  expect(row['charge_outcome']).toBe('failed_not_charged');
  expect(row['credits_ledger_entry_id'] ?? null).toBeNull();
  expect(await listCharges(account.key)).toEqual([]);
  // The hold ends with the settlement, which may come after the row.
  await eventually(async () => {
    expect(await remainingCredits(account.key)).toBe(before);
  });
  return { body: reply.json, row };
}

describe('a paid call that gave nothing', () => {
  it('is not charged when the provider validly had no result', async () => {
    const { body, row } = await expectNotCharged(emptyCall);
    expect(body['execution_outcome']).toEqual(
      expect.objectContaining({ outcome: 'empty_result', reason_code: 'result.empty', billable_success: false }),
    );
    expect(row['reason_code']).toBe('result.empty');
  });

  it('is not charged when the provider failed', async () => {
    const { body, row } = await expectNotCharged(failingCall);
    expect(body['execution_outcome']).toEqual(
      expect.objectContaining({ outcome: 'provider_failure', provider_success: false, billable_success: false }),
    );
    expect(String(row['reason_code'])).toMatch(/^provider\./);
  });
});
