import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findBinaries } from './binaries.js';
import { loadCredentials } from './credentials.js';
import { lockDataFolder } from './data-folder-lock.js';
import { administratorRole, clusterExists, initialiseCluster } from './initialise-cluster.js';
import { chooseLauncher } from './launcher.js';
import { applicationRole, databaseName, ownerRole, provision, type ServiceWithDatabase } from './provision.js';
import { startServer, type ServerProcess } from './server-process.js';
import { stopStaleServer } from './stale-server.js';

export interface EmbeddedPostgres {
  /** The role that runs the services; `migrate` grants to it. */
  readonly applicationRole: string;
  /** `postgres://…` of the role that owns the schema, for migrations. */
  ownerUrl(service: ServiceWithDatabase): string;
  /** `postgres://…` of the role that services run under. */
  appUrl(service: ServiceWithDatabase): string;
  /** Ends the server after its last write is on disk, and frees the data folder. Safe to repeat. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Created when missing; the cluster lives in `<dataDir>/postgres`. */
  readonly dataDir: string;
  readonly logger: { info(message: string): void; error(message: string): void };
  /** Called when the server dies on its own. Without it the event is only logged. */
  readonly onUnexpectedExit?: (description: string) => void;
  /** Server settings that differ from the product's, by their names in postgresql.conf: for clusters of tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with the name of each step that takes a while, before it begins. */
  readonly onStep?: (step: string) => void;
  /** Called when a program of the database runs: from now on the start mostly waits. It may be called more than once. */
  readonly onSpawn?: () => void;
  /** Ends the start, and every process of it; the promise then rejects. */
  readonly signal?: AbortSignal;
}

/**
 * Starts the PostgreSQL of the data folder on a free loopback port, creating cluster, roles and one database for each
 * service on first use. A server left by a killed process is stopped first.
 * @throws EmbeddedPostgresError worded for the operator: folder in use, no right to run, broken installation.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true });
  const dataDir = realpathSync(options.dataDir);
  const lock = lockDataFolder(dataDir);
  try {
    const folder = join(dataDir, 'postgres');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const credentials = await loadCredentials(dataDir, clusterExists(folder));
    if ((await stopStaleServer(folder)) === 'stopped') {
      options.logger.info('Stopped the database server that an earlier process left behind');
    }
    const binaries = findBinaries();
    const launcher = chooseLauncher(folder, binaries.postgres);
    options.onStep?.(clusterExists(folder) ? 'Starting the database' : 'Creating the database');
    await initialiseCluster(folder, binaries, launcher, credentials.administrator, options);
    const login = { user: administratorRole, password: credentials.administrator };
    const server = await startServer(folder, binaries, launcher, login, options);
    server.onExit((description) => {
      options.logger.error(description);
      options.onUnexpectedExit?.(description);
    });
    await provisionOrStop(server, login, credentials);
    const url = (role: string, password: string, service: ServiceWithDatabase): string =>
      `postgres://${role}:${password}@127.0.0.1:${String(server.port)}/${databaseName(service)}`;
    return {
      applicationRole,
      ownerUrl: (service) => url(ownerRole, credentials.owner, service),
      appUrl: (service) => url(applicationRole, credentials.application, service),
      stop: async () => {
        await server.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function provisionOrStop(
  server: ServerProcess,
  login: { user: string; password: string },
  credentials: Awaited<ReturnType<typeof loadCredentials>>,
): Promise<void> {
  const admin = new pg.Client({ host: '127.0.0.1', port: server.port, database: 'postgres', ...login });
  // A connection that is lost between two statements fails the next one; as an event it would end the process.
  admin.on('error', () => undefined);
  try {
    await admin.connect();
    await provision(admin, credentials);
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    await admin.end();
  }
}
