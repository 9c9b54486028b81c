import type { AccountAssertion, BudgetPeriod, CredentialBudgets, ProjectState } from '@capability-router/contracts';
import { creditsFromMicro, type Credits } from '@capability-router/kernel';

/** Characters. */
export const MAX_PROJECT_NAME_LENGTH = 80;
/** Projects of one account, closed ones too. */
export const MAX_PROJECTS_PER_ACCOUNT = 100;

/** The most that the keys of a project may spend together in one period. */
export interface ProjectBudget {
  readonly amount: Credits;
  readonly period: BudgetPeriod;
}

/** The columns of a look-up of a key that say which project it belongs to; null where it belongs to none. */
export interface KeyProjectColumns {
  readonly projectId: string | null;
  readonly projectState: ProjectState | null;
  readonly projectBudgetMicro: string | null;
  readonly projectBudgetPeriod: BudgetPeriod | null;
}

export const budgetOfProject = (row: {
  readonly budgetMicro: string | null;
  readonly budgetPeriod: BudgetPeriod | null;
}): ProjectBudget | undefined =>
  row.budgetMicro === null || row.budgetPeriod === null
    ? undefined
    : { amount: creditsFromMicro(BigInt(row.budgetMicro)), period: row.budgetPeriod };

/** As assertions and events carry it. */
export const claimOfBudget = ({ amount, period }: ProjectBudget): NonNullable<CredentialBudgets['project']> => ({
  limitMicroCredits: amount.toString(),
  period,
});

/** The additions of a key's project to the gateway's assertion; `own`: the key's own budgets. */
export function projectClaims(
  key: KeyProjectColumns,
  own: CredentialBudgets | undefined,
): Pick<AccountAssertion, 'projectId' | 'budgets'> {
  const { projectId, projectBudgetMicro: budgetMicro, projectBudgetPeriod: budgetPeriod } = key;
  const budget = budgetOfProject({ budgetMicro, budgetPeriod });
  const budgets = budget === undefined ? own : { ...own, project: claimOfBudget(budget) };
  return { ...(projectId === null ? {} : { projectId }), ...(budgets === undefined ? {} : { budgets }) };
}

/** Scopes that count now: a credential of a closed project spends nothing, and reads and manages on. */
export const rightsInProject = (
  scopes: readonly string[],
  { projectState }: Pick<KeyProjectColumns, 'projectState'>,
): Pick<AccountAssertion, 'scopes' | 'projectClosed'> =>
  projectState === 'closed' && scopes.includes('call')
    ? { scopes: scopes.filter((scope) => scope !== 'call'), projectClosed: true }
    : { scopes };
