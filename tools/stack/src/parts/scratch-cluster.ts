import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess } from '../system/process-identity.js';
import { administrator, postgresUrl, startPostgres } from './postgres.js';

export interface ScratchCluster {
  /** `postgres://…` of the superuser. */
  readonly url: string;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
}

/** Nothing of a test survives a power cut, and nobody reads a cluster again whose server has died. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const passwordBytes = 24;
const gracefulMs = 30_000;
const forcedMs = 60_000;

/** A cluster of the machine's PostgreSQL for tests, beside that of the stack. The caller stops it. */
export async function startScratchCluster(): Promise<ScratchCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'capability-router-cluster-'));
  // The user of the server passes through; the cluster inside is its own.
  chmodSync(directory, 0o755);
  const password = randomBytes(passwordBytes).toString('base64url');
  try {
    const { process, port } = await startPostgres(directory, password, undefined, settings);
    return {
      url: postgresUrl(port, administrator, password, 'postgres'),
      stop: async () => {
        // SIGINT is PostgreSQL's fast shutdown: SIGTERM would wait for every session to leave.
        await endProcess(process, [
          { signal: 'SIGINT', waitMs: gracefulMs },
          { signal: 'SIGKILL', waitMs: forcedMs },
        ]);
        rmSync(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}
