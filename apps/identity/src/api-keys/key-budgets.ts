import type { BudgetPeriod, CredentialBudgets } from '@capability-router/contracts';
import { creditsFromMicro, type Credits } from '@capability-router/kernel';

/** The limits that an administrator sets a key. Where one is absent, the key may spend as much as its account has. */
export interface KeyBudgets {
  readonly key?: { readonly amount: Credits; readonly period: BudgetPeriod };
  /** For each `session_id` that is used with the key. */
  readonly session?: { readonly amount: Credits };
}

/** The columns of `api_keys`; node-postgres gives a BIGINT as text. */
export interface KeyBudgetColumns {
  readonly budgetMicro: string | null;
  readonly budgetPeriod: BudgetPeriod | null;
  readonly sessionBudgetMicro: string | null;
}

/** Columns for a query on `api_keys` under the alias `k`. */
export const keyBudgetColumns = `
k.budget_micro AS "budgetMicro", k.budget_period AS "budgetPeriod", k.session_budget_micro AS "sessionBudgetMicro"`;

export function budgetsOfRow({ budgetMicro, budgetPeriod, sessionBudgetMicro }: KeyBudgetColumns): KeyBudgets {
  return {
    ...(budgetMicro === null || budgetPeriod === null
      ? {}
      : { key: { amount: creditsFromMicro(BigInt(budgetMicro)), period: budgetPeriod } }),
    ...(sessionBudgetMicro === null ? {} : { session: { amount: creditsFromMicro(BigInt(sessionBudgetMicro)) } }),
  };
}

/** Values for `budget_micro`, `budget_period` and `session_budget_micro`. */
export const rowOfBudgets = ({ key, session }: KeyBudgets) =>
  [key?.amount.toString() ?? null, key?.period ?? null, session?.amount.toString() ?? null] as const;

/** As assertions and events carry them; undefined where there are none. */
export function claimsOfBudgets({ key, session }: KeyBudgets): CredentialBudgets | undefined {
  if (key === undefined && session === undefined) return undefined;
  return {
    ...(key === undefined ? {} : { key: { limitMicroCredits: key.amount.toString(), period: key.period } }),
    ...(session === undefined ? {} : { session: { limitMicroCredits: session.amount.toString() } }),
  };
}
