import { describe, expect, it } from '@jest/globals';
import { newAccount } from './support/accounts.js';
import { listCharges, listUsage, remainingCredits } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { asObject } from './support/json.js';
import { micro } from './support/money.js';
import { paidCall, priceOf } from './support/tools.js';

const AFFORDABLE_CALLS = 10;
const CLIENTS = 50;

describe('50 clients that spend one balance at once', () => {
  it('get exactly the 10 calls it is worth, and it ends at 0 without ever being below', async () => {
    const price = micro(await priceOf((await newAccount(1)).key, paidCall.toolId));
    const { key } = await newAccount((price * AFFORDABLE_CALLS) / 1e6);

    const replies = await Promise.all(Array.from({ length: CLIENTS }, () => execute(key, paidCall)));
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([
      ...Array.from({ length: AFFORDABLE_CALLS }, () => 200),
      ...Array.from({ length: CLIENTS - AFFORDABLE_CALLS }, () => 402),
    ]);
    for (const reply of replies) expect(Number(reply.json['remaining_credits'])).toBeGreaterThanOrEqual(0);

    const rows = await eventually(async () => {
      const settled = await listUsage(key, { limit: 50 });
      expect(settled).toHaveLength(CLIENTS);
      expect(settled.filter((row) => row['billing_snapshot_status'] === 'pending')).toEqual([]);
      return settled;
    });
    expect(rows.filter((row) => row['charge_outcome'] === 'charged')).toHaveLength(AFFORDABLE_CALLS);
    expect(await remainingCredits(key)).toBe(0);

    const charges = await listCharges(key);
    expect(charges.map((entry) => micro(entry['amount_credits']))).toEqual(
      Array.from({ length: AFFORDABLE_CALLS }, () => -price),
    );
    for (const entry of charges) {
      expect(micro(asObject(entry['balance_after'])['total_available_credits'])).toBeGreaterThanOrEqual(0);
    }
    expect(new Set(charges.map((entry) => entry['execution_id'])).size).toBe(AFFORDABLE_CALLS);
  });
});
