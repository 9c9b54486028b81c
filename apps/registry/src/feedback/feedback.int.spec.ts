import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames, type AccountAssertion } from '@capability-router/contracts';
import { EvidenceStack } from '../test-support/evidence-stack.js';
import { newAccount } from '../test-support/running-registry.js';
import { sampleTool } from '../test-support/sample-catalogue.js';

const names = 'attacked four five owned foreign unseen replayed daily private late fading off'.split(' ');
const toolNamed = (name: string): string => `geokit.${name}.compute.v1`;
const tools = names.map((name) => sampleTool({ toolId: toolNamed(name) }));
const owners = Array.from({ length: 6 }, newAccount);
const trialAccount = (): AccountAssertion => ({ ...newAccount(), accountKind: 'trial' });
const DAY_MS = 86_400_000;
const TRIAL_ACCOUNTS = 1_000;

describe('feedback', () => {
  let stack: EvidenceStack;
  beforeAll(async () => {
    stack = await EvidenceStack.start({ tools, ownerAccountIds: owners.map(({ accountId }) => accountId) });
  });
  afterAll(async () => {
    await stack.stop();
    await stack.database.drop();
  });

  /** Each account searches, finds the tool and pays for a call of it. */
  const useTool = async (accounts: readonly AccountAssertion[], toolId: string, query: string): Promise<void> => {
    for (const account of accounts) await stack.settle(account, toolId, await stack.search(account, query, [toolId]));
  };
  const formal = (count: number): AccountAssertion[] => Array.from({ length: count }, newAccount);
  const termsOf = (name: string): string[] => stack.evidence.feedback.get(toolNamed(name)).map(({ term }) => term);
  const usesOf = async (name: string): Promise<number> => {
    const sql = 'SELECT FROM feedback_uses WHERE tool_id = $1';
    return (await stack.database.pool.query(sql, [toolNamed(name)])).rows.length;
  };

  it(`is not moved by ${TRIAL_ACCOUNTS} trial accounts`, async () => {
    const accounts = Array.from({ length: TRIAL_ACCOUNTS }, trialAccount);
    for (let from = 0; from < accounts.length; from += 50) {
      const some = accounts.slice(from, from + 50);
      await Promise.all(some.map((account) => useTool([account], toolNamed('attacked'), 'translate weather')));
    }
    await stack.settled();
    expect(await usesOf('attacked')).toBe(0);
    expect(termsOf('attacked')).toEqual([]);
    expect(await stack.catalogue.search('translate weather', 10)).toEqual([]);
  });

  it('takes in a word when the fifth formal account has used it, and not before', async () => {
    await useTool(formal(4), toolNamed('four'), 'translate weather');
    await useTool(formal(5), toolNamed('five'), 'translate weather');
    await useTool(formal(4), toolNamed('five'), 'music');
    await stack.settled();
    expect(termsOf('four')).toEqual([]);
    expect(termsOf('five').sort()).toEqual(['translate', 'weather']);
    for (const { weight } of stack.evidence.feedback.get(toolNamed('five'))) {
      expect(weight).toBeGreaterThan(4.5);
      expect(weight).toBeLessThan(5.5);
    }
  });

  it('lets the tool be found by such a word, before all that no word of the request leads to', async () => {
    const [first] = await stack.catalogue.search('translate weather', 10);
    expect([first?.tool.toolId, first?.hit.matches.length]).toEqual([toolNamed('five'), 2]);
  });

  it("does not listen to the provider's own accounts", async () => {
    await useTool(owners, toolNamed('owned'), 'translate weather');
    await useTool(formal(4), toolNamed('owned'), 'translate weather');
    await stack.settled();
    expect(await usesOf('owned')).toBe(4);
    expect(termsOf('owned')).toEqual([]);
  });

  it("does not believe another account's search, an invented one, or one that did not show the tool", async () => {
    const searcher = newAccount();
    const foreign = await stack.search(searcher, 'translate weather', [toolNamed('foreign')]);
    for (const account of formal(6)) {
      await stack.settle(account, toolNamed('foreign'), foreign);
      await stack.settle(account, toolNamed('foreign'), `srch_${'f'.repeat(32)}`);
      const search = await stack.search(account, 'translate weather', [toolNamed('five')]);
      await stack.settle(account, toolNamed('unseen'), search);
    }
    await stack.settled();
    expect(await usesOf('foreign')).toBe(0);
    expect(await usesOf('unseen')).toBe(0);
  });

  it('counts an event once, however often it comes', async () => {
    const accounts = formal(5);
    for (const account of accounts) {
      const search = await stack.search(account, 'translate weather', [toolNamed('replayed')]);
      const fact = await stack.settle(account, toolNamed('replayed'), search);
      await stack.append(topicNames.usageSettlements, 'UsageSettled', account.accountId, fact);
    }
    await stack.settled();
    const before = stack.evidence.feedback.get(toolNamed('replayed'));
    await stack.database.pool.query(
      `UPDATE consumer_positions SET position = '' WHERE consumer_group = 'registry.feedback'`,
    );
    const again = await EvidenceStack.start({ database: stack.database, clock: stack.clock, tools });
    await again.settled();
    await again.stop();
    expect(before).toHaveLength(2);
    expect(again.evidence.feedback.get(toolNamed('replayed'))).toEqual(before);
    expect(await usesOf('replayed')).toBe(5);
  });

  it('hears an account once a day and tool: the first search of the day', async () => {
    const account = newAccount();
    for (const query of ['translate', 'weather', 'music']) await useTool([account], toolNamed('daily'), query);
    await stack.settled();
    expect(await usesOf('daily')).toBe(1);
    const { rows } = await stack.database.pool.query('SELECT words FROM feedback_uses WHERE tool_id = $1', [
      toolNamed('daily'),
    ]);
    expect(rows).toEqual([{ words: ['translate'] }]);
  });

  it('keeps nothing that may name somebody, whoever searched with it', async () => {
    const query = 'weather for jane.doe@example.org order AB-1234 Qwxzrtp';
    await useTool(formal(6), toolNamed('private'), query);
    await stack.settled();
    expect(termsOf('private').sort()).toEqual(['order', 'weather']);
    const { rows } = await stack.database.pool.query('SELECT DISTINCT words FROM feedback_uses WHERE tool_id = $1', [
      toolNamed('private'),
    ]);
    expect(rows).toEqual([{ words: ['weather', 'order'] }]);
  });

  it('does not count a use older than what is kept', async () => {
    for (const account of formal(5)) {
      const search = await stack.search(account, 'translate', [toolNamed('late')]);
      const effectiveAt = new Date(stack.clock.nowMs() - 181 * DAY_MS).toISOString();
      await stack.settle(account, toolNamed('late'), search, { effectiveAt });
    }
    await stack.settled();
    expect(await usesOf('late')).toBe(0);
  });

  it('fades: after a half-life the weight is less, and in the end the word is gone', async () => {
    await useTool(formal(5), toolNamed('fading'), 'translate');
    await stack.settled();
    const weight = (): number => stack.evidence.feedback.get(toolNamed('fading'))[0]?.weight ?? 0;
    const fresh = weight();
    stack.clock.moveDays(30);
    await stack.eventually(() => weight() < fresh);
    expect(weight()).toBeGreaterThan(0);
    stack.clock.moveDays(160);
    await stack.eventually(() => weight() === 0);
  });

  it('collects nothing and uses nothing while it is switched off, also of the time when it was off', async () => {
    const { database, clock } = stack;
    await useTool(formal(5), toolNamed('four'), 'music');
    await stack.settled();
    expect(termsOf('four')).toEqual(['music']);
    await stack.stop();
    const off = { database, clock, tools, config: { feedback: { enabled: false, halfLifeDays: 30 } } };
    const without = await EvidenceStack.start(off);
    expect(without.evidence.feedback.get(toolNamed('four'))).toEqual([]);
    for (const account of formal(6)) {
      await without.settle(account, toolNamed('off'), await without.search(account, 'music', [toolNamed('off')]));
    }
    await without.settled();
    await without.stop();
    stack = await EvidenceStack.start({ database, clock, tools });
    await stack.settled();
    expect(await usesOf('off')).toBe(0);
    expect(termsOf('four')).toEqual(['music']);
  });
});
