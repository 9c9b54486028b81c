import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@capability-router/standalone/embedded-postgres';

export interface ScratchPostgres {
  /**
   * The URL is the superuser's: tests make databases and roles of their own. Several clusters are separated by commas;
   * `own-cluster.ts` gives each worker of jest one of them.
   */
  readonly url: string;
  /** Ends the servers and removes their files. */
  stop(): Promise<void>;
}

/** Nothing of a test survives a power cut, and nobody reads a cluster again whose server has died. */
export const scratchSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } as const;

/** A PostgreSQL for tests out of the same npm package that standalone uses, so that Node alone is enough. */
export async function startScratchPostgres(): Promise<ScratchPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'capability-router-postgres-'));
  const server = await startEmbeddedPostgres({
    dataDir,
    logger: { info: () => undefined, error: (message) => console.error(message) },
    settings: scratchSettings,
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

/** `count` clusters, one for each worker of jest; `start` starts one of them. */
export async function startScratchClusters(
  count: number,
  start: () => Promise<ScratchPostgres> = startScratchPostgres,
): Promise<ScratchPostgres> {
  const clusters: ScratchPostgres[] = [];
  const stop = async (): Promise<void> => {
    for (const cluster of clusters.splice(0)) await cluster.stop();
  };
  try {
    while (clusters.length < count) clusters.push(await start());
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: clusters.map((cluster) => cluster.url).join(','), stop };
}
