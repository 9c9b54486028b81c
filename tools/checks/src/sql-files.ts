import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Services whose SQL stands in `*.sql.ts`, statement and typed wrapper, so that a reviewer of money finds all of it. */
const services = ['apps/billing/src'];
/** Specs and their helpers look into tables as they like; a migration is SQL by its nature. */
const exempt = /\.sql\.ts$|\.spec\.ts$|(^|\/)(test-support|migrations)\//;

/** Files that hold SQL still. Nothing is added here; what is moved is taken out, or the check fails. */
export const notYetMoved: readonly string[] = [
  'apps/billing/src/background-checks/check-accounts.ts',
  'apps/billing/src/background-checks/check-conservation.ts',
  'apps/billing/src/background-checks/run-check.ts',
  'apps/billing/src/credits/credits-view.ts',
  'apps/billing/src/daily-free/daily-allowance.ts',
  'apps/billing/src/erasure/erase-accounts.ts',
  'apps/billing/src/erasure/note-erasures.ts',
  'apps/billing/src/exceptions/find-anomalies.ts',
  'apps/billing/src/ledger-roots/record-root.ts',
  'apps/billing/src/ledger-verify/verify-chains.ts',
  'apps/billing/src/ledger-verify/verify-heads.ts',
  'apps/billing/src/ledger-verify/verify-ledger.ts',
  'apps/billing/src/ledger-verify/verify-topic.ts',
  'apps/billing/src/ledger/balances-outbox.ts',
  'apps/billing/src/ledger/ledger-csv.ts',
  'apps/billing/src/ledger/ledger-outbox.ts',
  'apps/billing/src/partitions/keep-partitions-ahead.ts',
  'apps/billing/src/settlement-history/complete-ranges.ts',
  'apps/billing/src/usage-audit/credits-spent.controller.ts',
  'apps/billing/src/usage-audit/project-usage.ts',
  'apps/billing/src/usage-audit/projection-versions.ts',
  'apps/billing/src/usage-audit/rebuild/rebuild-rows.ts',
  'apps/billing/src/usage-audit/rebuild/rebuild-usage-audit.ts',
];

const comments = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm;
const statement = /\b(SELECT\s|INSERT INTO\s|DELETE FROM\s|UPDATE\s+[a-z_]+(\s+(AS\s+)?[a-z])?\s+SET\s|TRUNCATE\s)/;

export const holdsSql = (content: string): boolean => statement.test(content.replace(comments, ''));

/** Complaints about files that hold SQL and are not `*.sql.ts`, and about files that are listed and hold none any more. */
export async function checkSqlFiles(root: string, listed: readonly string[] = notYetMoved): Promise<string[]> {
  const complaints: string[] = [];
  const left = new Set(listed);
  for (const folder of services) {
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
