import type { MigrationClass } from './migration-class.js';

interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Name under which TypeORM records a migration. */
const nameOf = (migration: MigrationClass): string => new migration().name ?? migration.name;

/** The schema is not that of this build, which no waiting mends. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/** Names of migrations that part a database from a build. */
export interface SchemaDifference {
  /** The build has them, and the database does not. */
  readonly pending: readonly string[];
  /** The database has them, and the build does not. */
  readonly unknown: readonly string[];
}

export async function schemaDifference(
  db: Queryable,
  migrations: readonly MigrationClass[],
): Promise<SchemaDifference> {
  const applied = await appliedMigrations(db);
  const known = migrations.map(nameOf);
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/**
 * Throws unless exactly the migrations of this build were applied: an older schema lacks what the code needs, a newer
 * one may hold what it would break.
 */
export async function assertKnownSchema(
  db: Queryable,
  migrations: readonly MigrationClass[],
  service: string,
): Promise<void> {
  const { pending, unknown } = await schemaDifference(db, migrations);
  if (pending.length > 0) {
    throw new SchemaMismatch(`the database of ${service} lacks ${pending.join(', ')}: run its migrate command first`);
  }
  refuseUnknown(unknown);
}

/** Throws where the schema is that of a newer build, which an older one has nothing to add to. */
export async function assertNotNewer(db: Queryable, migrations: readonly MigrationClass[]): Promise<void> {
  refuseUnknown((await schemaDifference(db, migrations)).unknown);
}

function refuseUnknown(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  throw new SchemaMismatch(
    `the database has ${unknown.join(', ')}, which this build does not know: run a newer build, or restore the backup from before`,
  );
}

async function appliedMigrations(db: Queryable): Promise<string[]> {
  const { rows } = await db.query(`SELECT to_regclass('migrations') IS NOT NULL AS present`);
  if (rows[0]?.['present'] !== true) return [];
  const applied = await db.query('SELECT name FROM migrations ORDER BY id');
  return applied.rows.map((row) => String(row['name']));
}
