import type { MigrationClass } from './migration-class.js';

interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Name under which TypeORM records a migration. */
const nameOf = (migration: MigrationClass): string => new migration().name ?? migration.name;

/**
 * Throws unless exactly the migrations of this build were applied: an older schema lacks what the code needs, a newer
 * one may hold what it would break.
 */
export async function assertKnownSchema(
  db: Queryable,
  migrations: readonly MigrationClass[],
  service: string,
): Promise<void> {
  const applied = await appliedMigrations(db);
  const known = migrations.map(nameOf);
  const pending = known.filter((name) => !applied.includes(name));
  if (pending.length > 0) {
    throw new Error(`the database of ${service} lacks ${pending.join(', ')}: run its migrate command first`);
  }
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `the database of ${service} has ${unknown.join(', ')}, which this build does not know: run a newer build`,
    );
  }
}

async function appliedMigrations(db: Queryable): Promise<string[]> {
  const { rows } = await db.query(`SELECT to_regclass('migrations') IS NOT NULL AS present`);
  if (rows[0]?.['present'] !== true) return [];
  const applied = await db.query('SELECT name FROM migrations ORDER BY id');
  return applied.rows.map((row) => String(row['name']));
}
