import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './errors.js';
import { clusterFolder } from './initialise-cluster.js';
import { identify, stillRuns, type ProcessIdentity } from './process-identity.js';

/** A fast shutdown ends sessions and writes a checkpoint; an immediate one leaves that to recovery. */
const fastShutdownMs = 30_000;
const immediateShutdownMs = 10_000;
const pollMs = 20;

/**
 * Ends a server that a killed process left behind on this folder, so that there are never two on one cluster.
 * The caller holds the lock of the data folder, so a server found here has no owner.
 */
export async function stopStaleServer(folder: string): Promise<'none' | 'stopped'> {
  const pidFile = join(clusterFolder(folder), 'postmaster.pid');
  const pid = readPid(pidFile);
  if (pid === undefined) return 'none';
  const server = identify(pid);
  if (!stillRuns(server) || worksIn(pid, clusterFolder(folder)) === false) {
    // A dead process that nobody has waited for yet, or an unrelated one that was given the number: PostgreSQL would
    // take either for a running server and refuse.
    rmSync(pidFile, { force: true });
    return 'none';
  }
  await stopServer(server);
  return 'stopped';
}

/** Fast shutdown, then immediate. @throws EmbeddedPostgresError when the process ignores both or may not be signalled. */
export async function stopServer(server: ProcessIdentity): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', fastShutdownMs],
    ['SIGQUIT', immediateShutdownMs],
  ] as const) {
    if (!stillRuns(server)) return;
    try {
      process.kill(server.pid, signal);
    } catch (cause) {
      if (!stillRuns(server)) return;
      throw new EmbeddedPostgresError(
        `PostgreSQL process ${String(server.pid)} still runs on this data folder and may not be stopped by this user.`,
        { cause },
      );
    }
    if (await ended(server, waitMs)) return;
  }
  throw new EmbeddedPostgresError(`PostgreSQL process ${String(server.pid)} does not stop; end it by hand.`);
}

async function ended(server: ProcessIdentity, waitMs: number): Promise<boolean> {
  for (let waited = 0; waited < waitMs; waited += pollMs) {
    if (!stillRuns(server)) return true;
    await sleep(pollMs);
  }
  return !stillRuns(server);
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the process works in the folder, as a PostgreSQL server does in its cluster; undefined where that is unknown. */
function worksIn(pid: number, folder: string): boolean | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(`/proc/${String(pid)}/cwd`) === realpathSync(folder);
  } catch {
    return undefined;
  }
}
