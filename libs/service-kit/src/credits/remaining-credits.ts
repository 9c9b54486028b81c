import { setTimeout as delay } from 'node:timers/promises';
import type { AvailableCreditsResponse } from '@capability-router/contracts';
import { creditsFromMicro, creditsToNumber } from '@capability-router/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { jsonBody } from '../clients/json.js';
import type { ServiceClient } from '../clients/service-client.js';
import { BILLING } from '../nest/service-parts.js';

/**
 * Milliseconds after which a question is given up. Longer than any answer waits: giving up closes a keep-alive connection,
 * and a late reply costs nothing.
 */
const QUESTION_TIMEOUT_MS = 1_000;
/** Questions under way; beyond it answers go without the figure instead of queueing on a slow billing. */
const MAX_QUESTIONS = 256;

/** Credits; undefined when billing is late, unreachable or does not know. */
export interface AskedCredits {
  /** The credits, where they have come by now: for an answer that waits for nothing but its own work. */
  soFar(): number | undefined;
  /** The credits, where they come within these milliseconds. Never rejects. */
  within(budgetMs: number): Promise<number | undefined>;
}

const notAsked: AskedCredits = { soFar: () => undefined, within: () => Promise.resolve(undefined) };

/** Asks what an account can still spend, beside the work of a free endpoint. */
@Injectable()
export class RemainingCredits {
  private underWay = 0;

  constructor(@Inject(BILLING) private readonly billing: ServiceClient) {}

  ask(accountId: string, assertion: string | undefined): AskedCredits {
    if (this.underWay >= MAX_QUESTIONS) return notAsked;
    let come: number | undefined;
    const coming = this.question(accountId, assertion).then((credits) => (come = credits));
    return {
      soFar: () => come,
      within: async (budgetMs) => {
        const late = new AbortController();
        const timer = delay(budgetMs, undefined, { signal: late.signal }).catch(() => undefined);
        const credits = await Promise.race([coming, timer]);
        late.abort();
        return credits;
      },
    };
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
