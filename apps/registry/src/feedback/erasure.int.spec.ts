import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames, type AccountAssertion } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import { EvidenceStack } from '../test-support/evidence-stack.js';
import { newAccount } from '../test-support/running-registry.js';
import { sampleTool } from '../test-support/sample-catalogue.js';
import { sweepFeedback } from './sweep-feedback.js';

const toolId = sampleTool().toolId;

describe('erasure of an account', () => {
  let stack: EvidenceStack;
  beforeAll(async () => {
    stack = await EvidenceStack.start();
  });
  afterAll(async () => {
    await stack.stop();
    await stack.database.drop();
  });

  const useTool = async (account: AccountAssertion, query: string): Promise<void> => {
    await stack.settle(account, toolId, await stack.search(account, query, [toolId]));
  };
  const erase = (account: AccountAssertion): Promise<void> =>
    stack.append(topicNames.accounts, 'AccountErased', account.accountId, {
      accountId: account.accountId,
      erasedAt: toIso(stack.clock.nowMs()),
    });
  const count = async (
    table: 'feedback_uses' | 'discovery_payloads' | 'search_results',
    account: AccountAssertion,
  ): Promise<number> => {
    const { rows } = await stack.database.pool.query(`SELECT FROM ${table} WHERE account_id = $1`, [account.accountId]);
    return rows.length;
  };

  it("removes its share in feedback and its queries, and nobody else's", async () => {
    const accounts = Array.from({ length: 6 }, newAccount);
    const [first, second, third] = accounts;
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are six');
    for (const account of accounts) await useTool(account, 'translate weather');
    await stack.settled();
    expect(stack.evidence.feedback.get(toolId)).toHaveLength(2);
    const before = stack.evidence.feedback.get(toolId)[0]?.weight ?? 0;

    await erase(first);
    await stack.settled();
    await stack.eventually(async () => (await count('feedback_uses', first)) === 0);
    await stack.settled();
    expect(await count('discovery_payloads', first)).toBe(0);
    expect(await count('discovery_payloads', second)).toBe(1);
    expect(await count('search_results', first)).toBe(0);
    expect(await count('search_results', second)).toBe(1);
    expect(stack.evidence.feedback.get(toolId)).toHaveLength(2);
    expect(stack.evidence.feedback.get(toolId)[0]?.weight).toBeLessThan(before);

    // With the second one fewer than five are left.
    await erase(second);
    await stack.settled();
    await stack.eventually(async () => (await count('feedback_uses', second)) === 0);
    await stack.settled();
    expect(stack.evidence.feedback.get(toolId)).toEqual([]);
    expect(await count('feedback_uses', third)).toBe(1);
  });

  it('turns away a charge that comes afterwards, and removes texts that were under way', async () => {
    const account = newAccount();
    const search = await stack.search(account, 'translate weather', [toolId]);
    await erase(account);
    await stack.settled();
    await stack.eventually(async () => (await count('discovery_payloads', account)) === 0);
    await useTool(account, 'translate weather');
    await stack.settle(account, toolId, search);
    await stack.settled();
    expect(await count('feedback_uses', account)).toBe(0);
    expect(await count('discovery_payloads', account)).toBe(1);
    stack.clock.moveDays(11 / (24 * 60));
    await stack.eventually(async () => (await count('discovery_payloads', account)) === 0);
  });

  it('is looked after for an hour, and then only remembered', async () => {
    const account = newAccount();
    await erase(account);
    await stack.settled();
    const due = async (): Promise<(string | null)[]> => {
      const sql = 'SELECT due_at::text FROM erased_accounts WHERE account_id = $1';
      const { rows } = await stack.database.pool.query<{ due_at: string | null }>(sql, [account.accountId]);
      return rows.map((row) => row.due_at);
    };
    expect(await due()).toEqual([expect.any(String)]);
    stack.clock.moveDays(2 / 24);
    await stack.eventually(async () => (await due())[0] === null);
    stack.clock.moveDays(31);
    await sweepFeedback(stack.database.pool, stack.clock.nowMs(), { enabled: true, halfLifeDays: 30 });
    expect(await due()).toEqual([]);
  });
});
