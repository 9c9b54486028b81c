import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { createDatabase, type ScratchDatabase, type Template } from '@capability-router/event-store/testing';
import pg from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { migrate } from '../database/migrate.js';
import type { MigrationClass } from '../database/migration-class.js';

export interface ServiceSchema {
  /** Lower case letters and `_`; names the databases, the template and the application role. */
  readonly service: string;
  readonly migrations: readonly MigrationClass[];
  readonly appendOnlyTables?: readonly string[];
  /** Connections of a pool for which the test gives no number; 10 where absent. */
  readonly poolSize?: number;
}

/** A database of a release before this one. */
export interface OlderDatabase extends ScratchDatabase {
  /** Runs `migrate` with the migrations up to and with `last`; with all of this build where absent. */
  migrate(last?: MigrationClass): Promise<void>;
}

export interface ScratchDatabases {
  /**
   * A database as `migrate` leaves it. `pool` and `url` are of the application role, which is what a deployed service
   * has: it cannot change the schema, nor what is append-only. `poolSize`: connections of its pool.
   */
  createScratchDatabase(poolSize?: number): Promise<ScratchDatabase>;
  /** The same, with the migrations before this one alone. */
  createOlderDatabase(before: MigrationClass): Promise<OlderDatabase>;
  /** A database without a schema, under the superuser. */
  createEmptyDatabase(poolSize?: number): Promise<ScratchDatabase>;
}

/** Nobody but tests on the loopback logs in with it. */
const PASSWORD = 'secret';

/** The databases for tests of one service: copies of a template that its migrations ran in once. */
export function scratchDatabasesOf(schema: ServiceSchema): ScratchDatabases {
  const { service: prefix, migrations } = schema;
  const role = applicationRoleOf(schema);
  const login = { role, password: PASSWORD };
  const poolOf = (poolSize = schema.poolSize) => (poolSize === undefined ? {} : { poolSize });
  return {
    createScratchDatabase: async (poolSize) =>
      createDatabase({ prefix, template: await templateOf(schema), login, ...poolOf(poolSize) }),
    createOlderDatabase: async (before) => {
      const template = await templateOf(olderThan(schema, before), `${prefix}_before_${numberOf(schema, before)}`);
      const database = await createDatabase({ prefix, template, login, ...poolOf() });
      return {
        ...database,
        migrate: (last) => {
          const { ownerUrl } = database;
          const options = last === undefined ? schema : { migrations: migrations.slice(0, numberOf(schema, last) + 1) };
          return migrate({ ...options, ownerUrl, applicationRole: role });
        },
      };
    },
    createEmptyDatabase: (poolSize) => createDatabase({ prefix, ...poolOf(poolSize) }),
  };
}

/** Runs `work` with a query runner of TypeORM under the superuser: for a migration that is taken back. */
export async function withQueryRunner<T>(
  { ownerUrl: url }: Pick<ScratchDatabase, 'ownerUrl'>,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const dataSource = await new DataSource({ type: 'postgres', url, installExtensions: false }).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    return await work(runner);
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

function numberOf({ service, migrations }: ServiceSchema, migration: MigrationClass): number {
  const index = migrations.indexOf(migration);
  if (index < 0) throw new Error(`${migration.name} is no migration of ${service}`);
  return index;
}

/** The tables that are append-only may be younger than that migration; `migrate` to the last one takes care of them. */
const olderThan = (schema: ServiceSchema, before: MigrationClass): ServiceSchema => ({
  ...schema,
  migrations: schema.migrations.slice(0, numberOf(schema, before)),
  appendOnlyTables: [],
});

/** Roles belong to the cluster, and a copy keeps the grants of its template: all databases of a service share one. */
const applicationRoleOf = ({ service }: ServiceSchema): string => `${service}_test_application`;

async function templateOf(schema: ServiceSchema, prefix = schema.service): Promise<Template> {
  const { migrations, appendOnlyTables = [] } = schema;
  const role = applicationRoleOf(schema);
  return {
    prefix,
    fingerprint: await fingerprintOf(schema),
    build: async (ownerUrl) => {
      await createRole(ownerUrl, role);
      await migrate({ ownerUrl, applicationRole: role, migrations, appendOnlyTables });
    },
  };
}

/**
 * The name is made of the statements of the migrations, the privileges that `migrate` gives, and the day: a migration may
 * make partitions for the months around it.
 */
async function fingerprintOf({ service, migrations, appendOnlyTables = [] }: ServiceSchema): Promise<string> {
  const recorded: unknown[] = [];
  const recorder = {
    query: async (...statement: unknown[]) => {
      recorded.push(statement);
      return [];
    },
  } as unknown as QueryRunner;
  for (const Migration of migrations) {
    const migration = new Migration();
    recorded.push(migration.name ?? Migration.name);
    await migration.up(recorder);
  }
  const migrateFile = new URL(`../database/migrate${extname(import.meta.url)}`, import.meta.url);
  const day = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  return JSON.stringify([service, recorded, appendOnlyTables, await readFile(migrateFile, 'utf8'), day]);
}

/** Runs under the lock of the template, so nobody else creates the role at the same time. */
async function createRole(ownerUrl: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
  } finally {
    await client.end();
  }
}
