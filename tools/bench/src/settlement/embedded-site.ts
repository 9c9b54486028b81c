import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as billing from '@capability-router/billing';
import * as execution from '@capability-router/execution';
import { migrate } from '@capability-router/service-kit';
import { startEmbeddedPostgres } from '@capability-router/standalone/embedded-postgres';
import pg from 'pg';
import type { SettlementSite } from './measure-settlement.js';

/** The database that standalone uses, with its settings, in a folder of its own; events are read in place. */
export async function withEmbeddedSite<T>(work: (site: SettlementSite, version: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'capability-router-bench-'));
  const server = await startEmbeddedPostgres({
    dataDir,
    logger: { info: () => undefined, error: (message) => console.error(message) },
  });
  const pools: pg.Pool[] = [];
  const open = (connectionString: string): pg.Pool => {
    const pool = new pg.Pool({ connectionString, max: 8 });
    // The server ends its connections when it stops; that is no failure of the measurement.
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
  try {
    const { applicationRole } = server;
    await migrate({ ownerUrl: server.ownerUrl('billing'), applicationRole, ...billing });
    await migrate({ ownerUrl: server.ownerUrl('execution'), applicationRole, ...execution });
    const site: SettlementSite = {
      billing: open(server.ownerUrl('billing')),
      feeder: open(server.ownerUrl('execution')),
      job: { billingUrl: server.appUrl('billing'), feederUrl: server.appUrl('execution') },
      processes: 1,
      postgresPid: postmasterPid(dataDir),
      publish: () => Promise.resolve(),
    };
    return await work(site, await postgresVersion(site.billing));
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Process id of the server that standalone keeps in its data folder. */
export const postmasterPid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);

export async function postgresVersion(db: pg.Pool): Promise<string> {
  const { rows } = await db.query<{ server_version: string }>('SHOW server_version');
  return `PostgreSQL ${rows[0]?.server_version.split(' ', 1)[0] ?? 'unknown'}`;
}
