import type { AvailableCreditsResponse } from '@capability-router/contracts';
import { creditsFromMicro, creditsToNumber } from '@capability-router/kernel';
import { jsonBody } from '../clients/json.js';
import type { ServiceClient } from '../clients/service-client.js';

/**
 * Milliseconds after which a question is given up. Longer than the budget of an answer: giving up closes a keep-alive
 * connection, and a late reply costs nothing.
 */
const QUESTION_TIMEOUT_MS = 1_000;
/** Questions under way; beyond it answers go without the figure instead of queueing on a slow billing. */
const MAX_QUESTIONS = 256;

/** What an account can still spend, asked for beside the work of a free endpoint. */
export class RemainingCredits {
  private underWay = 0;

  /** `budgetMs`: from the question to the moment an answer must not wait any longer. */
  constructor(
    private readonly billing: ServiceClient,
    private readonly budgetMs: number,
  ) {}

  /** Credits; undefined when billing is late, unreachable or does not know. Never rejects. */
  ask(accountId: string, assertion: string | undefined): Promise<number | undefined> {
    if (this.underWay >= MAX_QUESTIONS) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), this.budgetMs);
      void this.question(accountId, assertion).then((credits) => {
        clearTimeout(timer);
        resolve(credits);
      });
    });
  }

  private async question(accountId: string, assertion: string | undefined): Promise<number | undefined> {
    this.underWay += 1;
    try {
      const response = await this.billing.request({
        method: 'GET',
        path: `/internal/accounts/${encodeURIComponent(accountId)}/available`,
        timeoutMs: QUESTION_TIMEOUT_MS,
        ...(assertion === undefined ? {} : { assertion }),
      });
      if (response.status !== 200) return undefined;
      const { availableMicroCredits } = jsonBody<AvailableCreditsResponse>(response);
      return creditsToNumber(creditsFromMicro(BigInt(availableMicroCredits)));
    } catch {
      // The figure is a courtesy; whoever needs it to be there asks for the balance itself.
      return undefined;
    } finally {
      this.underWay -= 1;
    }
  }
}
