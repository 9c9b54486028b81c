import pg from 'pg';
import { contexts, type ContextName } from '@capability-router/contracts';
import type { Credentials } from './credentials.js';

export const ownerRole = 'capability_router_owner';
export const applicationRole = 'capability_router_app';

/** Every service but the gateway, which keeps nothing. */
export type ServiceWithDatabase = Exclude<ContextName, 'gateway'>;

export function databaseName(service: ServiceWithDatabase): string {
  return `capability_router_${service.replaceAll('-', '_')}`;
}

/** Creates the roles and the database of every service where they are missing. Safe to repeat. */
export async function provision(admin: pg.Client, credentials: Credentials): Promise<void> {
  const roles = await admin.query<{ rolname: string }>('SELECT rolname FROM pg_roles');
  for (const [role, password] of [
    [ownerRole, credentials.owner],
    [applicationRole, credentials.application],
  ] as const) {
    if (roles.rows.some((row) => row.rolname === role)) continue;
    await admin.query(`CREATE ROLE ${role} LOGIN NOSUPERUSER PASSWORD ${pg.escapeLiteral(password)}`);
  }
  const databases = await admin.query<{ datname: string }>('SELECT datname FROM pg_database');
  for (const service of contexts) {
    if (service === 'gateway') continue;
    const name = databaseName(service);
    if (!databases.rows.some((row) => row.datname === name)) {
      await admin.query(`CREATE DATABASE ${name} OWNER ${ownerRole} ENCODING 'UTF8'`);
    }
    await admin.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
    await admin.query(`GRANT CONNECT ON DATABASE ${name} TO ${applicationRole}`);
  }
}
