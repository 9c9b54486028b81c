import type { BudgetPeriod, ProjectState } from '@capability-router/contracts';
import { AppError, creditsToNumber } from '@capability-router/kernel';
import type { ApiKeyRecord } from '../api-keys/api-key.entity.js';
import { budgetOfProject, MAX_PROJECTS_PER_ACCOUNT } from '../projects/project.js';
import type { ProjectRecord } from '../projects/project.entity.js';

interface Pending {
  /** Not every replica of the gateway has confirmed that it acts by the change. */
  readonly pending?: true;
}

export interface ProjectFacts extends Pending {
  readonly project_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly state: ProjectState;
  readonly budget?: { readonly amount_credits: number; readonly period: BudgetPeriod };
  readonly created_at: string;
}

export interface ProjectWithKeys extends ProjectFacts {
  /** Those that are not revoked, the newest first. */
  readonly api_keys: readonly { readonly api_key_id: string; readonly name: string; readonly masked_value: string }[];
}

export interface ProjectList {
  readonly items: readonly ProjectFacts[];
}

export interface MovedKey extends Pending {
  readonly api_key_id: string;
  readonly account_id: string;
  /** Absent where the key belongs to no project. */
  readonly project_id?: string;
}

export function toProject(record: ProjectRecord): ProjectFacts {
  const budget = budgetOfProject(record);
  return {
    project_id: record.projectId,
    account_id: record.accountId,
    name: record.name,
    state: record.state,
    ...(budget === undefined
      ? {}
      : { budget: { amount_credits: creditsToNumber(budget.amount), period: budget.period } }),
    created_at: record.createdAt.toISOString(),
  };
}

export const toProjectWithKeys = (record: ProjectRecord, keys: readonly ApiKeyRecord[]): ProjectWithKeys => ({
  ...toProject(record),
  api_keys: keys.map((key) => ({ api_key_id: key.apiKeyId, name: key.name, masked_value: key.maskedValue })),
});

const refusals = {
  unknown_account: () => new AppError('not_found'),
  unknown_project: () => new AppError('not_found'),
  unknown_key: () => new AppError('not_found'),
  key_revoked: () => new AppError('conflict', 'The key is revoked.'),
  account_not_active: () => new AppError('conflict', 'The account is not active.'),
  too_many_projects: () =>
    new AppError(
      'conflict',
      `The account has ${MAX_PROJECTS_PER_ACCOUNT} projects. Rename a closed one and open it again.`,
    ),
};

export const projectRefusal = (status: keyof typeof refusals): AppError => refusals[status]();
