import type pg from 'pg';
import { projectsIn } from './projects-in.js';

/** Removes the rows of an account's projects, whose keys are gone. */
export async function removeProjects(tx: pg.ClientBase, accountId: string): Promise<void> {
  await (await projectsIn(tx)).delete({ accountId });
}
