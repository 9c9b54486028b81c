import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Services whose SQL stands in `*.sql.ts`, statement and typed wrapper, so that a reviewer finds all of it. */
const services = ['billing', 'capability-routing', 'execution', 'gateway', 'identity', 'registry'];
/** Specs and their helpers look into tables as they like; a migration is SQL by its nature. */
const exempt = /\.sql\.ts$|\.spec\.ts$|(^|\/)(test-support|testing|migrations)\//;

/** Files that hold SQL still. Nothing is added here; what is moved is taken out, or the check fails. */
export const notYetMoved: readonly string[] = [
  'apps/execution/src/erasure/forget-account.ts',
  'apps/execution/src/idempotency/key-store.ts',
  'apps/execution/src/lifecycle/end-states.ts',
  'apps/execution/src/lifecycle/interrupt-lapsed.ts',
  'apps/execution/src/look-up/find-execution.ts',
  'apps/execution/src/payloads/payload-store.ts',
];

const comments = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm;
const statement = /\b(SELECT\s|INSERT INTO\s|DELETE FROM\s|UPDATE\s+[a-z_]+(\s+(AS\s+)?[a-z])?\s+SET\s|TRUNCATE\s)/;

export const holdsSql = (content: string): boolean => statement.test(content.replace(comments, ''));

/** Complaints about files that hold SQL and are not `*.sql.ts`, and about files that are listed and hold none any more. */
export async function checkSqlFiles(root: string, listed: readonly string[] = notYetMoved): Promise<string[]> {
  const complaints: string[] = [];
  const left = new Set(listed);
  for (const service of services) {
    const folder = `apps/${service}/src`;
    for (const name of (await readdir(join(root, folder), { recursive: true })).sort()) {
      if (!name.endsWith('.ts') || exempt.test(name)) continue;
      const path = `${folder}/${name}`;
      if (!holdsSql(await readFile(join(root, path), 'utf8'))) continue;
      if (!left.delete(path))
        complaints.push(`${path} holds SQL. Move it into a file *.sql.ts beside it, with a typed wrapper.`);
    }
  }
  for (const path of left) complaints.push(`${path} holds no SQL any more: take it out of the list in sql-files.ts.`);
  return complaints;
}
