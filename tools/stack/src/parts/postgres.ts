import { spawnSync, type SpawnOptions } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startDaemon, untilAnswers } from '../system/daemon.js';
import { identify, stillRuns } from '../system/process-identity.js';
import { freePort } from '../system/free-ports.js';
import { findProgram, findUser, OperatorError, type SystemUser } from '../system/programs.js';
import type { RunningPart } from '../stack-state.js';

const startTimeoutMs = 180_000;
const startAttempts = 5;
const retryDelayMs = 1_000;
/** Five services with two replicas and a pool of 16 each, relays, tests and the operator. */
const maxConnections = 300;
const debianFolder = '/usr/lib/postgresql';
export const administrator = 'postgres';

export function postgresUrl(port: number, user: string, password: string, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/** Starts the machine's PostgreSQL on a cluster in `<directory>/postgres`. `extraSettings` win over those of the stack. */
export async function startPostgres(
  directory: string,
  password: string,
  wishedPort?: number,
  extraSettings: Readonly<Record<string, string>> = {},
): Promise<RunningPart> {
  const folder = join(directory, 'postgres');
  const programs = findPostgres();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const run = runner(folder);
  const cluster = join(folder, 'data');
  if (!existsSync(join(cluster, 'PG_VERSION'))) createCluster(programs.initdb, folder, cluster, password, run);
  const port = await freePort(wishedPort);
  const logFile = join(directory, 'logs', 'postgres.log');
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: maxConnections,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_min_messages: 'log',
    ...extraSettings,
  };
  const command = run.command(programs.postgres, [
    '-D',
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  for (let attempt = 1; ; attempt += 1) {
    forgetDeadServer(cluster);
    const process = await startDaemon(command.file, command.args, logFile, command.options);
    const url = postgresUrl(port, administrator, password, 'postgres');
    try {
      await untilAnswers('PostgreSQL', process, logFile, () => postgresAnswers(url), startTimeoutMs);
      return { process, port };
    } catch (error) {
      // Sessions of a server that was killed need a moment to notice, and block the next one until then.
      if (attempt === startAttempts || stillRuns(process)) throw error;
      await sleep(retryDelayMs);
    }
  }
}

/** A killed server that nobody has waited for yet looks alive to PostgreSQL, which then refuses to start. */
function forgetDeadServer(cluster: string): void {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (!stillRuns(identify(pid))) rmSync(pidFile, { force: true });
}

export async function postgresAnswers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function findPostgres(): { initdb: string; postgres: string } {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const folders = versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(debianFolder, version, 'bin'));
  for (const folder of [...folders, undefined]) {
    const where = folder === undefined ? [] : [folder];
    const initdb = findProgram('initdb', where);
    const postgres = findProgram('postgres', where);
    if (initdb !== undefined && postgres !== undefined) return { initdb, postgres };
  }
  throw new OperatorError('PostgreSQL is not installed. Run: apt-get install postgresql redis-server');
}

interface Runner {
  readonly user: SystemUser | undefined;
  command(file: string, args: readonly string[]): { file: string; args: string[]; options: SpawnOptions };
}

/** PostgreSQL refuses to run as root; under root it gets the user that its package made. */
function runner(folder: string): Runner {
  if (process.getuid?.() !== 0) {
    return { user: undefined, command: (file, args) => ({ file, args: [...args], options: { cwd: '/' } }) };
  }
  const user = findUser('postgres', 'nobody');
  if (user === undefined) throw new OperatorError('PostgreSQL does not run as root, and there is no user postgres.');
  chownSync(folder, user.uid, user.gid);
  const ids = { cwd: '/', uid: user.uid, gid: user.gid };
  if (spawnSync('/bin/sh', ['-c', '[ -w "$1" ]', 'sh', folder], ids).status === 0) {
    return { user, command: (file, args) => ({ file, args: [...args], options: ids }) };
  }
  // The repository lies below a folder that only root may enter: keep the one capability to pass it.
  const flags = [
    '--securebits=+no_setuid_fixup',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  return {
    user,
    command: (file, args) => ({ file: 'setpriv', args: [...flags, file, ...args], options: { cwd: '/' } }),
  };
}

function createCluster(initdb: string, folder: string, cluster: string, password: string, run: Runner): void {
  const unfinished = `${cluster}.unfinished`;
  const passwordFile = join(folder, 'initial-password');
  rmSync(unfinished, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (run.user !== undefined) chownSync(passwordFile, run.user.uid, run.user.gid);
  const { file, args, options } = run.command(initdb, [
    `--pgdata=${unfinished}`,
    `--username=${administrator}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ]);
  const { uid, gid } = options;
  const result = spawnSync(file, args, { cwd: '/', uid, gid, encoding: 'utf8' });
  rmSync(passwordFile, { force: true });
  if (result.status !== 0) throw new Error(`initdb failed: ${result.stderr || String(result.error)}`);
  renameSync(unfinished, cluster);
}
