import { creditsFromMicro, isJsonObject, type Credits, type JsonObject } from '@capability-router/kernel';
import type { ExceededBudget, PlaceHoldRequest, SettlementResponse } from '@capability-router/contracts';
import { jsonBody, type ServiceClient } from '@capability-router/service-kit';
import type { Settlement } from '../../look-up/execution-view.js';

/** Milliseconds that a free call waits for its remaining credits where its own work took less. */
const AVAILABLE_BUDGET_MS = 50;
/** Milliseconds; a look-up says what it knows when billing does not answer. */
const SETTLEMENT_TIMEOUT_MS = 2_000;
/** Milliseconds; above the budget, so that a slow moment does not cost the connection. */
const AVAILABLE_TIMEOUT_MS = 1_000;

export interface Held {
  readonly status: 'held';
  readonly available: Credits;
  /** The daily free allowance stands for it: nothing of the balance is reserved, and nothing will be charged. */
  readonly covered: boolean;
}

export type HoldOutcome =
  | Held
  | { readonly status: 'insufficient_credits'; readonly available: Credits }
  /** The account has enough; at least one of `budgets` has not. */
  | { readonly status: 'budget_exceeded'; readonly available: Credits; readonly budgets: readonly ExceededBudget[] }
  /** Whether it was placed is not known, or its id has another one; the end of the execution gives back what there is. */
  | { readonly status: 'unavailable'; readonly cause: unknown };

export class BillingClient {
  constructor(
    private readonly client: ServiceClient,
    /** Milliseconds. The hold is one statement, but those of a burst wait for each other. */
    private readonly holdTimeoutMs: number,
  ) {}

  /** `deadlineMs`: of the call, from now; a hold that comes later is of no use to it. */
  async placeHold(hold: PlaceHoldRequest, assertion: string, deadlineMs: number): Promise<HoldOutcome> {
    try {
      const answer = await this.client.request({
        method: 'POST',
        path: '/internal/holds',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(hold),
        assertion,
        timeoutMs: Math.min(this.holdTimeoutMs, deadlineMs),
        // By the id of the execution.
        repeatable: true,
      });
      if (answer.status === 409) return { status: 'unavailable', cause: new Error('the execution has another hold') };
      const body = parseObject(answer.body);
      if (answer.status === 200 && body['status'] === 'held') {
        return { status: 'held', available: available(body), covered: body['covered'] === true };
      }
      if (answer.status === 402 && body['status'] === 'budget_exceeded') {
        const budgets = body['budgets'] as unknown as readonly ExceededBudget[];
        return { status: 'budget_exceeded', available: available(body), budgets };
      }
      if (answer.status === 402) return { status: 'insufficient_credits', available: available(body) };
      return { status: 'unavailable', cause: new Error(`billing answered ${answer.status}`) };
    } catch (cause) {
      return { status: 'unavailable', cause };
    }
  }

  /**
   * What the account can still spend; undefined when billing does not answer. A refusal over money waits for it, since
   * the figure is a part of what it says.
   */
  async awaitAvailableCredits(accountId: string, assertion: string): Promise<Credits | undefined> {
    return this.askAvailable(accountId, assertion);
  }

  /**
   * The same beside the work of a free call. What is returned gives what has come by the time at which it is asked, and
   * waits for it only until the budget is over; undefined when billing has not answered by then.
   */
  beginAvailableCredits(accountId: string, assertion: string): () => Promise<Credits | undefined> {
    const startedMs = performance.now();
    const coming = this.askAvailable(accountId, assertion);
    return async () => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        const leftMs = startedMs + AVAILABLE_BUDGET_MS - performance.now();
        timer = setTimeout(() => resolve(undefined), Math.max(0, leftMs));
      });
      try {
        return await Promise.race([coming, late]);
      } finally {
        clearTimeout(timer);
      }
    };
  }

  /** What became of the bill of an execution; undefined when billing does not answer. */
  async settlementOf(accountId: string, executionId: string): Promise<Settlement | undefined> {
    try {
      const path = `/internal/accounts/${accountId}/executions/${executionId}/settlement`;
      const answer = await this.client.request({ method: 'GET', path, timeoutMs: SETTLEMENT_TIMEOUT_MS });
      if (answer.status !== 200) return undefined;
      const { settlementState, amountMicroCredits, ledgerEntryId } = jsonBody<SettlementResponse>(answer);
      return {
        state: settlementState,
        ...(amountMicroCredits === undefined ? {} : { amount: creditsFromMicro(BigInt(amountMicroCredits)) }),
        ...(ledgerEntryId === undefined ? {} : { ledgerEntryId }),
      };
    } catch {
      return undefined;
    }
  }

  private async askAvailable(accountId: string, assertion: string): Promise<Credits | undefined> {
    try {
      const path = `/internal/accounts/${encodeURIComponent(accountId)}/available`;
      const answer = await this.client.request({ method: 'GET', path, assertion, timeoutMs: AVAILABLE_TIMEOUT_MS });
      return answer.status === 200 ? available(parseObject(answer.body)) : undefined;
    } catch {
      return undefined;
    }
  }
}

function parseObject(body: Buffer): JsonObject {
  const value: unknown = JSON.parse(body.toString('utf8'));
  if (!isJsonObject(value)) throw new Error('billing answered with something else than an object');
  return value;
}

function available(body: JsonObject): Credits {
  const amount = body['availableMicroCredits'];
  if (typeof amount !== 'string') throw new Error('billing left out the available credits');
  return creditsFromMicro(BigInt(amount));
}
