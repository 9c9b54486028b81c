import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Services whose SQL stands in `*.sql.ts`, statement and typed wrapper, so that a reviewer finds all of it. */
const services = ['billing', 'capability-routing', 'execution', 'gateway', 'identity', 'registry'];
/** Specs and their helpers look into tables as they like; a migration is SQL by its nature. */
const exempt = /\.sql\.ts$|\.spec\.ts$|(^|\/)(test-support|testing|migrations)\//;

const comments = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm;
/** In capitals, words that prose has not. */
const statement =
  /\b(SELECT\s|INSERT INTO\s|DELETE FROM\s|MERGE INTO\s|UPDATE\s+[a-z_]+(\s+(AS\s+)?[a-z])?\s+SET\s|TRUNCATE\s|LOCK TABLE\s|COPY\s+[a-z_("$])/;
/** In small letters, where a text begins with it, or it has the second word that prose has not there. */
const smallStatement =
  /['"`]\s*(select\s+[^'"`]*\sfrom\s|insert\s+into\s|delete\s+from\s|merge\s+into\s|update\s+\w+\s+(as\s+\w+\s+|\w+\s+)?set\s|truncate\s+(table\s+)?\w|lock\s+table\s|copy\s+\w+\s*(\([^)]*\)\s*)?(from\s+stdin|to\s+stdout))/i;

export function holdsSql(content: string): boolean {
  const code = content.replace(comments, '');
  return statement.test(code) || smallStatement.test(code);
}

/** Complaints about files that hold SQL and are not `*.sql.ts`. */
export async function checkSqlFiles(root: string): Promise<string[]> {
  const complaints: string[] = [];
  for (const service of services) {
    const folder = `apps/${service}/src`;
    for (const name of (await readdir(join(root, folder), { recursive: true })).sort()) {
      if (!name.endsWith('.ts') || exempt.test(name)) continue;
      const path = `${folder}/${name}`;
      if (!holdsSql(await readFile(join(root, path), 'utf8'))) continue;
      complaints.push(`${path} holds SQL. Move it into a file *.sql.ts beside it, with a typed wrapper.`);
    }
  }
  return complaints;
}
