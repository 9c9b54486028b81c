import { toIso, uuidv7 } from '@capability-router/kernel';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { claimOfBudget, MAX_PROJECTS_PER_ACCOUNT, type ProjectBudget } from '../projects/project.js';
import type { ProjectRecord } from '../projects/project.entity.js';
import { projectsIn } from '../projects/projects-in.js';

export interface CreateProject {
  readonly accountId: string;
  readonly name: string;
  readonly budget?: ProjectBudget | null;
  readonly nowMs: number;
}

export type CreateProjectResult =
  | { readonly status: 'created'; readonly project: ProjectRecord }
  | { readonly status: 'unknown_account' | 'account_not_active' | 'too_many_projects' };

/** The project and its `ProjectCreated`, in the caller's transaction. Its name stays in identity. */
export async function createProject(tx: pg.ClientBase, command: CreateProject): Promise<CreateProjectResult> {
  const { accountId, name, budget, nowMs } = command;
  const account = await lockAccount(tx, accountId);
  if (account === undefined) return { status: 'unknown_account' };
  if (account.status !== 'active') return { status: 'account_not_active' };
  const projects = await projectsIn(tx);
  // Exact, because the account's row is locked.
  if ((await projects.countBy({ accountId })) >= MAX_PROJECTS_PER_ACCOUNT) return { status: 'too_many_projects' };
  const project: ProjectRecord = {
    projectId: uuidv7(nowMs),
    accountId,
    name,
    state: 'open',
    budgetMicro: budget?.amount.toString() ?? null,
    budgetPeriod: budget?.period ?? null,
    createdAt: new Date(nowMs),
    changeId: null,
    changedAt: null,
  };
  await projects.insert(project);
  const limit = budget ? { budget: claimOfBudget(budget) } : {};
  const data = { accountId, projectId: project.projectId, ...limit, createdAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'ProjectCreated', data }, nowMs, 'following');
  return { status: 'created', project };
}
