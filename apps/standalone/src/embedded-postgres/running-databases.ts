import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCredentials } from './credentials.js';
import { EmbeddedPostgresError } from './errors.js';
import { clusterExists, clusterFolder } from './initialise-cluster.js';
import { applicationRole, databaseName, ownerRole, type ServiceWithDatabase } from './provision.js';

/** The line of `postmaster.pid` with the port. */
const PORT_LINE = 3;

export interface RunningDatabases {
  appUrl(service: ServiceWithDatabase): string;
  ownerUrl(service: ServiceWithDatabase): string;
}

/**
 * For tools beside a running instance: the databases of its data folder, under the role that the services run under, or
 * that of the owner of the tables.
 * @throws EmbeddedPostgresError where the folder is none, or nothing runs on it
 */
export async function runningDatabases(dataDir: string): Promise<RunningDatabases> {
  const folder = join(dataDir, 'postgres');
  if (!clusterExists(folder)) {
    throw new EmbeddedPostgresError(`${dataDir} is not the data folder of a standalone instance (DATA_DIR).`);
  }
  const pidFile = join(clusterFolder(folder), 'postmaster.pid');
  const port = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[PORT_LINE]) : 0;
  if (!Number.isInteger(port) || port <= 0) {
    throw new EmbeddedPostgresError(`Nothing runs on ${dataDir}. Start it first: DATA_DIR=${dataDir} npm start`);
  }
  const { application, owner } = await loadCredentials(dataDir, true);
  const url = (role: string, password: string, service: ServiceWithDatabase): string =>
    `postgres://${role}:${password}@127.0.0.1:${String(port)}/${databaseName(service)}`;
  return {
    appUrl: (service) => url(applicationRole, application, service),
    ownerUrl: (service) => url(ownerRole, owner, service),
  };
}
