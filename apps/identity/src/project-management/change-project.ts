import type { ProjectState } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { changeOfRow, newChange, rowOfChange, type Change } from '../evictions/change.js';
import { budgetOfProject, claimOfBudget, type ProjectBudget } from '../projects/project.js';
import type { ProjectRecord } from '../projects/project.entity.js';
import { projectsIn } from '../projects/projects-in.js';

export interface ChangeProject {
  readonly projectId: string;
  /** The account that asks; absent where an administrator does, who may change projects of all. */
  readonly accountId?: string;
  readonly name?: string | undefined;
  readonly state?: ProjectState | undefined;
  /** Null: none any more; undefined: as it is. */
  readonly budget?: ProjectBudget | null | undefined;
  readonly nowMs: number;
}

export type ChangeProjectResult =
  | {
      readonly status: 'changed' | 'unchanged';
      readonly project: ProjectRecord;
      /** The last change of the project; undefined where there never was one. */
      readonly change: Change | undefined;
    }
  | { readonly status: 'unknown_project' };

/**
 * Decides what the keys of a project may do from now on, with its `ProjectChanged`, in the caller's transaction. A name alone
 * changes nothing that anybody hears of.
 */
export async function changeProject(tx: pg.ClientBase, command: ChangeProject): Promise<ChangeProjectResult> {
  const { projectId, nowMs } = command;
  const projects = await projectsIn(tx);
  const owner = (await projects.findOneBy({ projectId }))?.accountId;
  if (owner === undefined || owner !== (command.accountId ?? owner)) return { status: 'unknown_project' };
  await lockAccount(tx, owner);
  const before = await projects.findOneBy({ projectId });
  // The account may have been erased, and its projects with it, while the lock was waited for.
  if (before === null) return { status: 'unknown_project' };
  const budget = command.budget === undefined ? budgetOfProject(before) : (command.budget ?? undefined);
  const after: ProjectRecord = {
    ...before,
    name: command.name ?? before.name,
    state: command.state ?? before.state,
    budgetMicro: budget?.amount.toString() ?? null,
    budgetPeriod: budget?.period ?? null,
  };
  if (after.name !== before.name) await projects.update({ projectId }, { name: after.name });
  const limits = ({ state, budgetMicro, budgetPeriod }: ProjectRecord) => [state, budgetMicro, budgetPeriod].join();
  if (limits(after) === limits(before)) return { status: 'unchanged', project: after, change: changeOfRow(before) };
  const change = newChange(nowMs);
  const { state, budgetMicro, budgetPeriod } = after;
  await projects.update({ projectId }, { state, budgetMicro, budgetPeriod, ...rowOfChange(change) });
  const limit = budget === undefined ? {} : { budget: claimOfBudget(budget) };
  const { changeId } = change;
  const data = { accountId: owner, projectId, state, ...limit, changeId, changedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'ProjectChanged', data }, nowMs, 'following');
  return { status: 'changed', project: after, change };
}
