import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newExecutionId, type AccountId } from '@capability-router/kernel';
import { BillingReads, START } from '../test-support/billing-reads.js';

describe('GET /internal/accounts/{account_id}/executions/{execution_id}/settlement', () => {
  let billing: BillingReads;
  let account: AccountId;
  beforeAll(async () => {
    billing = await BillingReads.start();
    account = await billing.account();
  });
  afterAll(() => billing.stop());

  it('says what was settled and by which entry, and pending of what it has not heard of', async () => {
    const [paid, free] = await billing.calls(account, [
      { micro: 1_500_000n, atMs: START },
      { micro: 0n, atMs: START },
    ]);
    expect(await billing.settlementOf(account, paid)).toEqual({
      settlementState: 'settled',
      amountMicroCredits: '1500000',
      ledgerEntryId: expect.stringMatching(/^led_/),
    });
    expect(await billing.settlementOf(account, free)).toMatchObject({ settlementState: 'not_applicable' });
    const unheard = newExecutionId(START);
    expect(await billing.settlementOf(account, unheard)).toEqual({ settlementState: 'pending' });
    const other = await billing.account();
    expect(await billing.settlementOf(other, paid)).toEqual({ settlementState: 'pending' });
  });
});
