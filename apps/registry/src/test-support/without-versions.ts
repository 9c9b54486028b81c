import type { ScratchDatabase } from './scratch-database.js';

/** While `work` runs, the database refuses whatever would give a tool the next version. */
export async function withoutVersions<T>({ owner }: ScratchDatabase, work: () => Promise<T>): Promise<T> {
  await owner.query('ALTER TABLE tool_versions ADD CONSTRAINT none_for_now CHECK (false) NOT VALID');
  try {
    return await work();
  } finally {
    await owner.query('ALTER TABLE tool_versions DROP CONSTRAINT none_for_now');
  }
}
