import { creditsFromMicro, isJsonObject, type Credits, type JsonObject } from '@capability-router/kernel';
import type { ExceededBudget, PlaceHoldRequest } from '@capability-router/contracts';
import type { ServiceClient } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ExecutionConfig } from '../../config.js';
import { BILLING_SERVICE, EXECUTION_CONFIG } from '../../tokens.js';

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

/** Places holds at billing. */
@Injectable()
export class HoldClient {
  constructor(
    @Inject(BILLING_SERVICE) private readonly billing: ServiceClient,
    /** `holdTimeoutMs`: the hold is one statement, but those of a burst wait for each other. */
    @Inject(EXECUTION_CONFIG) private readonly config: Pick<ExecutionConfig, 'holdTimeoutMs'>,
  ) {}

  /** `deadlineMs`: of the call, from now; a hold that comes later is of no use to it. */
  async place(hold: PlaceHoldRequest, assertion: string, deadlineMs: number): Promise<HoldOutcome> {
    try {
      const answer = await this.billing.request({
        method: 'POST',
        path: '/internal/holds',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(hold),
        assertion,
        timeoutMs: Math.min(this.config.holdTimeoutMs, deadlineMs),
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
