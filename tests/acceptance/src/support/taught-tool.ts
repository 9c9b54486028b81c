import { expect } from '@jest/globals';
import { newAccount, type TestAccount } from './accounts.js';
import { settledUsageOf } from './audit.js';
import { eventually } from './eventually.js';
import { call } from './http.js';
import { asArray, asNumber, asObject, asString } from './json.js';
import { startPricedProvider } from './priced-provider.js';

/** Different accounts that must have used a word for a tool before it touches anybody else's search. */
export const VOTERS = 5;

/** A paid tool that only one test searches for and calls, so that nobody else's calls say anything about it. */
export interface TaughtTool {
  /** How well it fits, 0 to 1, in the eyes of this account. */
  finalScore(key: string): Promise<number>;
  /** New accounts search for it, one after another, and pay for the call that follows. */
  teach(): Promise<TestAccount[]>;
  close(): Promise<void>;
}

/** @param word a common one that the tool's own text does not hold; searches name it and the tool's provider */
export async function startTaughtTool(word: string): Promise<TaughtTool> {
  const provider = await startPricedProvider();
  await provider.publish({ lesson: { price: { amount_credits: '0.5' } } });
  const toolId = provider.idOf('lesson');
  const query = `${asString(toolId.split('.')[0])} ${word}`;

  const find = async (key: string): Promise<{ searchId: string; finalScore: number }> => {
    const { json } = await call('POST', '/search', { key, body: { query } });
    const results = asArray(json['results'], 'results').map((result) => asObject(result));
    const found = results.find((result) => result['tool_id'] === toolId);
    return {
      searchId: asString(json['search_id'], 'search_id'),
      finalScore: asNumber(found?.['final_score'], 'final_score'),
    };
  };
  const vote = async (): Promise<TestAccount> => {
    const account = await newAccount();
    const { searchId } = await eventually(() => find(account.key));
    const reply = await provider.call(account, 'lesson', { size: 3 }, {}, { search_id: searchId });
    expect(await settledUsageOf(account.key, reply.json['execution_id'])).toMatchObject({ charge_outcome: 'charged' });
    return account;
  };
  return {
    finalScore: async (key) => (await eventually(() => find(key))).finalScore,
    async teach() {
      const voters: TestAccount[] = [];
      while (voters.length < VOTERS) voters.push(await vote());
      return voters;
    },
    close: () => provider.close(),
  };
}
