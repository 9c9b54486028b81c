import type { AvailableCreditsResponse } from '@capability-router/contracts';
import { creditsFromMicro, type Credits } from '@capability-router/kernel';
import { BILLING, jsonBody, type ServiceClient } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';

/** Milliseconds that a free call waits for its remaining credits where its own work took less. */
const ANSWER_BUDGET_MS = 50;
/** Milliseconds; above the budget, so that a slow moment does not cost the connection. */
const QUESTION_TIMEOUT_MS = 1_000;

/** Asks billing what an account can still spend. */
@Injectable()
export class AvailableCredits {
  constructor(@Inject(BILLING) private readonly billing: ServiceClient) {}

  /** Undefined when billing does not answer. A refusal over money waits for it, since the figure is a part of what it says. */
  awaited(accountId: string, assertion: string): Promise<Credits | undefined> {
    return this.ask(accountId, assertion);
  }

  /**
   * The same beside the work of a free call. What is returned gives what has come by the time at which it is asked, and
   * waits for it only until the budget is over; undefined when billing has not answered by then.
   */
  begin(accountId: string, assertion: string): () => Promise<Credits | undefined> {
    const startedMs = performance.now();
    const coming = this.ask(accountId, assertion);
    return async () => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        const leftMs = startedMs + ANSWER_BUDGET_MS - performance.now();
        timer = setTimeout(() => resolve(undefined), Math.max(0, leftMs));
      });
      try {
        return await Promise.race([coming, late]);
      } finally {
        clearTimeout(timer);
      }
    };
  }

  private async ask(accountId: string, assertion: string): Promise<Credits | undefined> {
    try {
      const path = `/internal/accounts/${encodeURIComponent(accountId)}/available`;
      const answer = await this.billing.request({ method: 'GET', path, assertion, timeoutMs: QUESTION_TIMEOUT_MS });
      if (answer.status !== 200) return undefined;
      return creditsFromMicro(BigInt(jsonBody<AvailableCreditsResponse>(answer).availableMicroCredits));
    } catch {
      return undefined;
    }
  }
}
