import { creditsFromMicro, creditsToNumber, type Credits } from '@capability-router/kernel';
import type { ExceededBudget } from './internal.js';

/** An item of the `details` of a 402: a budget of the credential that what was asked for does not fit into. */
export interface BudgetDetail {
  readonly type: 'budget_exceeded';
  readonly loc: readonly string[];
  readonly msg: string;
  readonly scope: ExceededBudget['scope'];
  readonly needed_credits: number;
  readonly available_credits: number;
  readonly limit_credits: number;
  /** ISO 8601; when the budget starts over. Absent where it never does. */
  readonly period_ends_at?: string;
}

/** `what`: what costs `needed`, such as "The call". */
export function budgetDetail(what: string, needed: Credits, budget: ExceededBudget): BudgetDetail {
  const { scope, periodEndsAt } = budget;
  const cost = creditsToNumber(needed);
  const available = creditsToNumber(creditsFromMicro(BigInt(budget.availableMicroCredits)));
  const limit = creditsToNumber(creditsFromMicro(BigInt(budget.limitMicroCredits)));
  const ends = periodEndsAt !== undefined;
  const { loc, whose, help } = {
    key: {
      loc: ['api_key', 'budget'],
      whose: 'API key',
      help: ends ? 'Wait, or ask an administrator to raise it' : 'Ask an administrator to raise it',
    },
    session: {
      loc: ['api_key', 'session_budget'],
      whose: 'session',
      // Only what calls without a session share has an end.
      help: ends ? 'Name a session_id of your own' : 'Begin another session',
    },
    project: {
      loc: ['project', 'budget'],
      whose: 'project',
      help: ends ? 'Wait, or ask who manages the account to raise it' : 'Ask who manages the account to raise it',
    },
    delegation: {
      loc: ['delegation_token', 'max_credits'],
      whose: 'delegation token',
      help: 'Ask whoever gave it for another',
    },
  }[scope];
  return {
    type: 'budget_exceeded',
    loc,
    msg:
      `${what} may cost up to ${cost} credits, and ${available} of ${limit} are left of the budget of this ` +
      `${whose}${ends ? ` until ${periodEndsAt}` : ''}. ${help}.`,
    scope,
    needed_credits: cost,
    available_credits: available,
    limit_credits: limit,
    ...(ends ? { period_ends_at: periodEndsAt } : {}),
  };
}
