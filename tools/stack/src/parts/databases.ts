import pg from 'pg';
import { contexts } from '@capability-router/contracts';
import { connectClient, passwordOf } from '@capability-router/service-kit';
import type { DatabaseAccess, ServiceWithDatabase, StackSecrets } from '../stack-state.js';
import { postgresUrl } from './postgres.js';

export const servicesWithDatabase = contexts.filter((name): name is ServiceWithDatabase => name !== 'gateway');

/** The URLs of a service's database, which name its roles and their passwords. */
export interface DatabaseUrls {
  readonly ownerUrl: string;
  readonly appUrl: string;
}

/** The names of the databases and roles of each service on the stack. */
export function databaseAccess(
  port: number,
  passwords: StackSecrets['databases'],
): Readonly<Record<ServiceWithDatabase, DatabaseAccess>> {
  const entries = servicesWithDatabase.map((service) => {
    const prefix = service.replaceAll('-', '_');
    const database = `capability_router_${prefix}`;
    const applicationRole = `${prefix}_app`;
    const { owner, application } = passwords[service];
    return [
      service,
      {
        ownerUrl: postgresUrl(port, `${prefix}_owner`, owner, database),
        appUrl: postgresUrl(port, applicationRole, application, database),
        applicationRole,
      },
    ];
  });
  return Object.fromEntries(entries) as Record<ServiceWithDatabase, DatabaseAccess>;
}

/** Creates the roles and the database that each pair of URLs names, with the passwords in them. Safe to repeat. */
export async function createDatabases(adminUrl: string, databases: readonly DatabaseUrls[]): Promise<void> {
  const admin = await connectClient({ connectionString: adminUrl });
  try {
    for (const urls of databases) await createDatabase(admin, new URL(urls.ownerUrl), new URL(urls.appUrl));
  } finally {
    await admin.end();
  }
}

async function createDatabase(admin: pg.Client, owner: URL, application: URL): Promise<void> {
  const name = decodeURIComponent(owner.pathname.slice(1));
  const database = pg.escapeIdentifier(name);
  const ownerRole = await ensureRole(admin, owner);
  const applicationRole = await ensureRole(admin, application);
  const found = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (found.rowCount === 0) {
    // A superuser of a hosted PostgreSQL has to be a member of the role to give it a database.
    await admin.query(`GRANT ${ownerRole} TO CURRENT_USER`);
    await admin.query(`CREATE DATABASE ${database} OWNER ${ownerRole} ENCODING 'UTF8'`);
  }
  await admin.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
  await admin.query(`GRANT CONNECT ON DATABASE ${database} TO ${applicationRole}`);
}

async function ensureRole(admin: pg.Client, url: URL): Promise<string> {
  const name = decodeURIComponent(url.username);
  const role = pg.escapeIdentifier(name);
  const found = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  const verb = found.rowCount === 0 ? 'CREATE' : 'ALTER';
  await admin.query(`${verb} ROLE ${role} LOGIN PASSWORD ${pg.escapeLiteral(passwordOf(url.href))}`);
  return role;
}
