import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@capability-router/standalone/embedded-postgres';

export interface ScratchPostgres {
  /** Of the superuser: tests make databases and roles of their own. */
  readonly url: string;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
}

/** A PostgreSQL for tests out of the same npm package that standalone uses, so that Node alone is enough. */
export async function startScratchPostgres(): Promise<ScratchPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'capability-router-postgres-'));
  const server = await startEmbeddedPostgres({
    dataDir,
    logger: { info: () => undefined, error: (message) => console.error(message) },
  });
  const credentials = JSON.parse(await readFile(join(dataDir, 'postgres-credentials.json'), 'utf8')) as {
    administrator: string;
  };
  const url = new URL(server.ownerUrl('billing'));
  url.username = 'capability_router_admin';
  url.password = credentials.administrator;
  url.pathname = '/postgres';
  return {
    url: url.href,
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
