import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, fchownSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './errors.js';
import { clusterFolder } from './initialise-cluster.js';
import type { Launcher } from './launcher.js';
import { identify } from './process-identity.js';
import { serverSettings, settingArguments } from './server-settings.js';
import { stopServer } from './stale-server.js';

/** Recovery after a crash replays at most `max_wal_size`, which takes seconds; a slow disk gets minutes. */
const startTimeoutMs = 180_000;
const pollMs = 20;
const logBytesMax = 10 * 1024 * 1024;
const quotedLogCharacters = 2_000;
/** A port that was free may be taken in between, and backends of a killed server need a moment to notice. */
const startAttempts = 5;
const retryDelayMs = 1_000;

export interface ServerProcess {
  readonly port: number;
  onExit(listener: (description: string) => void): void;
  stop(): Promise<void>;
}

export interface StartServerOptions {
  /** Settings that take the place of those of `serverSettings`, by their names in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the server's process runs, long before it accepts a login. */
  readonly onSpawn?: (() => void) | undefined;
}

/** Starts the server and returns once it accepts a login. */
export async function startServer(
  folder: string,
  binaries: PostgresBinaries,
  launcher: Launcher,
  login: { user: string; password: string },
  { settings = {}, signal, onSpawn }: StartServerOptions = {},
): Promise<ServerProcess> {
  const logFile = join(folder, 'postgres.log');
  if (existsSync(logFile) && statSync(logFile).size > logBytesMax) renameSync(logFile, `${logFile}.1`);
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const { file, args, options } = launcher.command(binaries.postgres, [
      '-D',
      clusterFolder(folder),
      ...settingArguments({ ...serverSettings(port), ...settings }),
    ]);
    const log = openSync(logFile, 'a', 0o600);
    if (launcher.user !== undefined) fchownSync(log, launcher.user.uid, launcher.user.gid);
    const logStart = statSync(logFile).size;
    // Its own process group: Ctrl-C in a terminal reaches node alone, which then stops the database last.
    const child = spawn(file, args, {
      ...options,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    });
    closeSync(log);
    onSpawn?.();
    const failure = await whenReady(child, port, login, signal).catch(async (error: unknown) => {
      await supervise(child, port, binaries, folder).stop();
      throw error;
    });
    if (failure === undefined) return supervise(child, port, binaries, folder);
    const said = readFileSync(logFile).subarray(logStart).toString().slice(-quotedLogCharacters).trim();
    const mayPass = /could not bind|Address already in use|pre-existing shared memory|lock file .* exists/.test(said);
    if (!mayPass || attempt === startAttempts) {
      throw new EmbeddedPostgresError(`The embedded PostgreSQL did not start (${failure}). It said:\n${said}`);
    }
    await sleep(retryDelayMs);
    signal?.throwIfAborted();
  }
}

function supervise(child: ChildProcess, port: number, binaries: PostgresBinaries, folder: string): ServerProcess {
  if (child.pid === undefined) throw new EmbeddedPostgresError('The embedded PostgreSQL has no process id.');
  const server = identify(child.pid);
  let stopping = false;
  // Without references the server does not keep node alive; stop() takes them back while it waits.
  child.unref();
  return {
    port,
    onExit: (listener) => {
      child.once('exit', (code, signal) => {
        if (!stopping) listener(`PostgreSQL ended by itself (${String(code ?? signal)})`);
      });
    },
    stop: async () => {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const exited = once(child, 'exit');
      if (process.platform === 'win32') {
        spawnSync(binaries.pgCtl, ['stop', '-D', clusterFolder(folder), '-m', 'fast', '-w']);
      } else {
        await stopServer(server);
      }
      await exited;
    },
  };
}

async function whenReady(
  child: ChildProcess,
  port: number,
  login: { user: string; password: string },
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended ??= `ended with ${String(code ?? signal)}`));
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    if (ended !== undefined) return ended;
    signal?.throwIfAborted();
    if (await accepts(port, login)) return undefined;
    await sleep(pollMs);
  }
  child.kill('SIGQUIT');
  return `not ready after ${String(startTimeoutMs / 1000)} s`;
}

async function accepts(port: number, login: { user: string; password: string }): Promise<boolean> {
  const client = new pg.Client({ host: '127.0.0.1', port, database: 'postgres', ...login });
  // A connection that breaks is what the next attempt is for.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === '28P01') {
      throw new EmbeddedPostgresError(
        'The database refuses the password in postgres-credentials.json: the file and the folder postgres/ do not belong together.',
        { cause: error },
      );
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new EmbeddedPostgresError('No free loopback port.');
  return address.port;
}
