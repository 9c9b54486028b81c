import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { createDatabase, type ScratchDatabase, type Template } from '@capability-router/event-store/testing';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { migrate } from '../database/migrate.js';
import type { MigrationClass } from '../database/open-database.js';

export interface ServiceSchema {
  /** Lower case letters and `_`; names the databases, the template and the application role. */
  readonly service: string;
  readonly migrations: readonly MigrationClass[];
  readonly appendOnlyTables?: readonly string[];
  /**
   * Who `pool` and `url` log in as. The application role is what a deployed service has: it cannot change the schema.
   * The superuser may do everything, so tests under it say nothing about privileges.
   */
  readonly as: 'superuser' | 'application';
  /** Connections of a pool for which the test gives no number; 10 where absent. */
  readonly poolSize?: number;
}

export interface ScratchDatabases {
  /** A database as `migrate` leaves it. `poolSize`: connections of its pool. */
  createScratchDatabase(poolSize?: number): Promise<ScratchDatabase>;
  /** As `createScratchDatabase`, with no schema yet, under the superuser. */
  createEmptyDatabase(poolSize?: number): Promise<ScratchDatabase>;
  /** URL of the application role in a database of `createScratchDatabase`. */
  applicationUrl(database: ScratchDatabase): string;
}

/** Nobody but tests on the loopback logs in with it. */
const PASSWORD = 'secret';

/** The databases for tests of one service: copies of a template that its migrations ran in once. */
export function scratchDatabasesOf(schema: ServiceSchema): ScratchDatabases {
  const { service: prefix } = schema;
  const login = { role: applicationRoleOf(schema), password: PASSWORD };
  const poolOf = (poolSize = schema.poolSize) => (poolSize === undefined ? {} : { poolSize });
  return {
    createScratchDatabase: async (poolSize) =>
      createDatabase({
        prefix,
        template: await templateOf(schema),
        ...(schema.as === 'application' ? { login } : {}),
        ...poolOf(poolSize),
      }),
    createEmptyDatabase: (poolSize) => createDatabase({ prefix, ...poolOf(poolSize) }),
    applicationUrl: ({ ownerUrl }) => {
      const url = new URL(ownerUrl);
      url.username = login.role;
      url.password = login.password;
      return url.href;
    },
  };
}

/** Roles belong to the cluster, and a copy keeps the grants of its template: all databases of a service share one. */
const applicationRoleOf = ({ service }: ServiceSchema): string => `${service}_test_application`;

async function templateOf(schema: ServiceSchema): Promise<Template> {
  const { migrations, appendOnlyTables = [] } = schema;
  const role = applicationRoleOf(schema);
  return {
    prefix: schema.service,
    fingerprint: await fingerprintOf(schema),
    build: async (ownerUrl) => {
      await createRole(ownerUrl, role);
      await migrate({ ownerUrl, applicationRole: role, migrations, appendOnlyTables });
    },
  };
}

/**
 * What the migrations would run, the privileges that `migrate` gives, and the day: a migration may make partitions for
 * the months around it.
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
