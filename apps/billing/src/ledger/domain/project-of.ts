import type { JsonObject } from '@capability-router/kernel';

/** The name under which the metadata of a charge holds its project, so that the chain of the ledger covers it. */
export const projectIdKey = 'project_id';

/** The project that an entry is counted for, by its metadata; undefined where there is none. */
export function projectOf({ [projectIdKey]: projectId }: JsonObject): { readonly projectId: string } | undefined {
  return typeof projectId === 'string' ? { projectId } : undefined;
}
