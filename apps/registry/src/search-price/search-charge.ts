import { budgetDetail, HOLD_EXPIRES_AT, type BudgetDetail } from '@capability-router/contracts';
import {
  AppError,
  errorRegistry,
  creditsToNumber,
  subtractCredits,
  type Credits,
  type SearchId,
} from '@capability-router/kernel';
import { CONFIG, HoldClient, HoldReleases, requireScope, type Faults } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../caller.js';
import { chargeOf, searchBill, type SearchBill } from './domain/search-bill.js';

/** Seconds after which a caller may try again when billing was not there. */
const RETRY_AFTER_SECONDS = 2;

export type SearchReservation =
  | {
      readonly status: 'held';
      bill(resultCount: number): SearchBill;
      /** Credits that can be spent once the bill takes the place of the hold. */
      remaining(resultCount: number): number;
      /** To be called once the search is recorded: what is not charged is free at once. Never rejects. */
      recorded(resultCount: number): Promise<void>;
      /**
       * Does what the search needs, to its record. Where that ends in an error which says that nothing was recorded, the hold is given
       * back at once; where it is not known, billing asks.
       */
      untilRecorded<T>(search: () => Promise<T>): Promise<T>;
    }
  | UnpaidSearch;

/** Nothing was reserved, and so nothing is searched. */
export interface UnpaidSearch {
  readonly status: 'insufficient_credits' | 'budget_exceeded' | 'payment_required';
  readonly message: string;
  /** Credits that the account can still spend, where a budget and not the account is too short. */
  readonly remaining?: number;
  readonly details: readonly (BudgetDetail | ShortAccount | BlockedAccount)[];
}

/** The account, and no budget, is too short; as a Call says it. */
export interface ShortAccount {
  readonly type: 'insufficient_credits';
  readonly loc: readonly string[];
  readonly msg: string;
  readonly scope: 'account';
  readonly needed_credits: number;
  readonly available_credits: number;
}

/** The account may spend nothing, as a Call says it. */
export interface BlockedAccount {
  readonly type: 'payment_required';
  readonly loc: readonly string[];
  readonly msg: string;
  readonly scope: 'account';
}

const { message: blockedMessage } = errorRegistry.payment_required;
const blocked: UnpaidSearch = {
  status: 'payment_required',
  message: blockedMessage,
  details: [{ type: 'payment_required', loc: ['account', 'state'], msg: blockedMessage, scope: 'account' }],
};

export interface SearchPriceConfig {
  /** 0: searching is free, and billing is not asked. */
  readonly searchPrice: Credits;
  readonly searchHoldTimeoutMs: number;
  readonly faults: Faults;
}

/**
 * The price of a search in this deployment (`SEARCH_PRICE_CREDITS`), reserved before it runs and charged by its event. A
 * search that leaves no event is never charged: billing asks how it ended (`end-states.ts`) and releases the hold.
 */
@Injectable()
export class SearchCharge {
  constructor(
    @Inject(HoldClient) private readonly holds: HoldClient,
    @Inject(HoldReleases) private readonly releases: HoldReleases,
    @Inject(CONFIG) private readonly config: SearchPriceConfig,
  ) {}

  /**
   * Undefined where searching is free. Throws `insufficient_scope` for a credential that may not spend, and
   * `service_unavailable` when billing does not answer: whether it holds anything is then not known, so the hold is
   * released or forestalled.
   */
  reserve(searchId: SearchId, caller: Caller, sessionId?: string): Promise<SearchReservation> | undefined {
    if (this.config.searchPrice === 0n) return undefined;
    requireScope(caller.account, 'call');
    if (caller.account.accountStatus === 'payment_required') return Promise.resolve(blocked);
    return this.placeHold(searchId, caller, sessionId);
  }

  private async placeHold(
    searchId: SearchId,
    { account, assertion }: Caller,
    sessionId: string | undefined,
  ): Promise<SearchReservation> {
    const { searchPrice: price, searchHoldTimeoutMs: timeoutMs, faults } = this.config;
    const { holds, releases } = this;
    const terms = { accountId: account.accountId, amountMicroCredits: price.toString() };
    const answer = await holds.place(
      {
        ...terms,
        searchId,
        expiresAt: HOLD_EXPIRES_AT,
        ...(account.budgets?.session === undefined || sessionId === undefined ? {} : { sessionId }),
      },
      { assertion, timeoutMs },
    );
    if (answer.status === 'unavailable') {
      // A search that ends here leaves no event.
      await releases.forestall({ ...terms, billableId: searchId });
      throw unavailable(answer.cause);
    }
    if (answer.status === 'conflict') throw new AppError('internal_error');
    const { available } = answer;
    if (answer.status === 'insufficient_credits') {
      const message =
        `Insufficient credits: a search costs ${creditsToNumber(price)} credits, ` +
        `${creditsToNumber(available)} are available. Add credits.`;
      const detail = {
        type: 'insufficient_credits',
        loc: ['account', 'credits'],
        msg: message,
        scope: 'account',
        needed_credits: creditsToNumber(price),
        available_credits: creditsToNumber(available),
      } as const;
      return { status: 'insufficient_credits', message, details: [detail] };
    }
    if (answer.status === 'budget_exceeded') {
      const details = answer.budgets.map((budget) => budgetDetail('A search', price, budget));
      return { status: answer.status, message: details[0]?.msg ?? '', remaining: creditsToNumber(available), details };
    }
    faults.reached('after-search-hold');
    return {
      status: 'held',
      bill: (resultCount) => searchBill(price, resultCount),
      recorded: (resultCount) => (chargeOf(price, resultCount) === 0n ? releases.release(searchId) : Promise.resolve()),
      untilRecorded: async (search) => {
        try {
          return await search();
        } catch (error) {
          if (error instanceof AppError && error.code === 'service_unavailable') await releases.release(searchId);
          throw error;
        }
      },
      // Where the daily free allowance stands for it, nothing of the balance was reserved.
      remaining: (resultCount) =>
        creditsToNumber(
          answer.covered ? available : subtractCredits(available, subtractCredits(chargeOf(price, resultCount), price)),
        ),
    };
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError(
    'service_unavailable',
    'Credits cannot be reserved right now; nothing was searched. Retry later.',
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
    },
  );
}
