import type { ExceededBudget, PlaceHoldRequest, PlaceHoldResponse } from '@capability-router/contracts';
import { creditsFromMicro, type Credits } from '@capability-router/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { jsonBody, postJson } from '../clients/json.js';
import type { ServiceClient } from '../clients/service-client.js';
import { BILLING } from '../nest/service-parts.js';

/** Credits are reserved. */
export interface Held {
  readonly status: 'held';
  readonly available: Credits;
  /** The daily free allowance stands for it: nothing of the balance is reserved, and nothing will be charged. */
  readonly covered: boolean;
}

/** Billing says this to a hold. `available` is what the account can spend after it. */
export type HoldOutcome =
  | Held
  | { readonly status: 'insufficient_credits'; readonly available: Credits }
  /** The account has enough; at least one of `budgets` has not, the tightest first. */
  | { readonly status: 'budget_exceeded'; readonly available: Credits; readonly budgets: readonly ExceededBudget[] }
  /** Another hold was placed under this id before. */
  | { readonly status: 'conflict' }
  /** Nobody knows whether it was placed; the end of what it is for releases it if it was. */
  | { readonly status: 'unavailable'; readonly cause: unknown };

export interface HoldOptions {
  /** The assertion of the account that is to pay; its budgets are in it. */
  readonly assertion: string | undefined;
  readonly timeoutMs: number;
}

/** Asks billing to hold credits for an execution or a search. `HoldReleases` gives them back. */
@Injectable()
export class HoldClient {
  constructor(@Inject(BILLING) private readonly billing: ServiceClient) {}

  /**
   * Never rejects. `timeoutMs`: the hold is one statement, but those of a burst wait for each other; one that comes after the
   * deadline of what it is for is of no use.
   */
  async place(hold: PlaceHoldRequest, { assertion, timeoutMs }: HoldOptions): Promise<HoldOutcome> {
    try {
      const response = await postJson(this.billing, '/internal/holds', hold, {
        headers: { 'content-type': 'application/json' },
        ...(assertion === undefined ? {} : { assertion }),
        timeoutMs,
        // Billing knows a hold by the id of its execution or search, and places one that comes again once.
        repeatable: true,
      });
      if (response.status === 409) return { status: 'conflict' };
      if (response.status !== 200 && response.status !== 402) {
        throw new Error(`billing answered ${response.status} to a hold`);
      }
      return outcomeOf(response.status, jsonBody<PlaceHoldResponse>(response));
    } catch (cause) {
      return { status: 'unavailable', cause };
    }
  }
}

/** Throws where the body is not what goes with that status. */
function outcomeOf(status: 200 | 402, answer: PlaceHoldResponse): HoldOutcome {
  if (status === 200 && answer.status === 'held') {
    return { status: 'held', available: availableOf(answer), covered: answer.covered === true };
  }
  if (status === 402 && answer.status === 'budget_exceeded') {
    return { status: 'budget_exceeded', available: availableOf(answer), budgets: answer.budgets };
  }
  if (status === 402 && answer.status === 'insufficient_credits') {
    return { status: 'insufficient_credits', available: availableOf(answer) };
  }
  throw new Error(`billing answered ${status} and "${answer.status}" to a hold`);
}

const availableOf = ({ availableMicroCredits }: { readonly availableMicroCredits: string }): Credits =>
  creditsFromMicro(BigInt(availableMicroCredits));
