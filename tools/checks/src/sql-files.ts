import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Services whose SQL stands in `*.sql.ts`, statement and typed wrapper, so that a reviewer finds all of it. Libraries are
 * outside: the files of the event store, the event bus and the service kit that hold SQL hold little else, and stand in
 * folders that say so. Standalone is no service: it makes roles and databases, and asks nothing of them.
 */
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
/** Statements that begin and end a transaction, set something for it, or make, alter and drop an object. */
const command =
  /\b(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|SET LOCAL|SET SESSION|ANALYZE|VACUUM)\b|\b(CREATE|ALTER|DROP) [A-Z]{4}/;
const smallCommand =
  /['"`;]\s*(begin\s+(transaction|isolation|read)\b|(begin|commit|rollback)\s*;|savepoint\s+\w|set\s+(local|session)\s|(create|alter|drop)\s+(unique\s+)?(table|index|role|database|schema|view|function|trigger|type)\s)/i;
/** Parts of a statement: an expression that only SQL has, or a condition whose value comes later. */
const fragment =
  /\bCASE WHEN\s|\bIS (NOT )?NULL\b|\bAT TIME ZONE\b|\bCOALESCE\(|\bANY\(|::(bigint|boolean|integer|jsonb?|numeric|text|timestamptz|uuid)\b|\s(=|<>|[<>]=?) \?(?=::|['"`)])/;

const patterns = [statement, smallStatement, command, smallCommand, fragment];
/** Whoever runs a statement knows its parameters and its rows, and those stand with its text. */
const run = /\.query(<[^(]*>)?\(/;

export function holdsSql(content: string): boolean {
  const code = content.replace(comments, '');
  return patterns.some((pattern) => pattern.test(code));
}

export const runsSql = (content: string): boolean => run.test(content.replace(comments, ''));

/** Complaints about files that hold SQL, or run it, and are not `*.sql.ts`. */
export async function checkSqlFiles(root: string): Promise<string[]> {
  const complaints: string[] = [];
  for (const service of services) {
    const folder = `apps/${service}/src`;
    for (const name of (await readdir(join(root, folder), { recursive: true })).sort()) {
      if (!name.endsWith('.ts') || exempt.test(name)) continue;
      const path = `${folder}/${name}`;
      const content = await readFile(join(root, path), 'utf8');
      const does = holdsSql(content) ? 'holds' : runsSql(content) ? 'runs' : undefined;
      if (does === undefined) continue;
      complaints.push(
        `${path} ${does} SQL. Move it into a file *.sql.ts beside it, as a function that takes the client.`,
      );
    }
  }
  return complaints;
}
