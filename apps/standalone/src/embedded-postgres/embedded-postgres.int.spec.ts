import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';

jest.setTimeout(120_000);

const ownerScript = fileURLToPath(new URL('./test-support/owner.js', import.meta.url));
const nobody = { uid: 65_534, gid: 65_534 };
const asRoot = process.getuid?.() === 0;

interface Way {
  readonly name: string;
  /** Prepares the folder above the data folder. */
  prepare(folder: string): void;
  readonly user?: { uid: number; gid: number };
  readonly path?: string;
}

const closed = (folder: string): void => chmodSync(folder, 0o700);
const open = (folder: string): void => chmodSync(folder, 0o755);
/** A path without setpriv: the server then outlives its owner, as it does on systems that have no such program. */
const noSetpriv = '/nonexistent';

const ways: readonly Way[] = asRoot
  ? [
      { name: 'root', prepare: open },
      { name: 'root, where the server outlives a killed owner', prepare: open, path: noSetpriv },
      { name: 'root, below a folder that only root may enter', prepare: closed },
      {
        name: 'an ordinary user',
        prepare: (folder) => chownSync(folder, nobody.uid, nobody.gid),
        user: nobody,
      },
      {
        name: 'an ordinary user, where the server outlives a killed owner',
        prepare: (folder) => chownSync(folder, nobody.uid, nobody.gid),
        user: nobody,
        path: noSetpriv,
      },
    ]
  : [
      { name: 'an ordinary user', prepare: closed },
      { name: 'an ordinary user, where the server outlives a killed owner', prepare: closed, path: noSetpriv },
    ];

interface Owner {
  readonly process: ChildProcess;
  readonly urls: { ownerUrl: string; appUrl: string };
}

let folder: string;
let dataDir: string;
const started: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
  dataDir = join(folder, 'data');
});

afterEach(async () => {
  for (const child of started.splice(0)) await end(child, 'SIGTERM');
  // The server of a killed owner may still be writing its last checkpoint.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

describe.each(ways)('as $name', (way) => {
  // One data folder for all of it: creating one takes longer than the rest.
  it('keeps a committed row through kill -9 of its owner, leaves no server behind when it is stopped, and starts again', async () => {
    way.prepare(folder);
    const first = await startOwner(way);
    await query(first.urls.ownerUrl, 'CREATE TABLE kept (value text)');
    await query(first.urls.ownerUrl, "INSERT INTO kept VALUES ('still here')");
    await end(first.process, 'SIGKILL');

    const second = await startOwner(way);
    expect(await query(second.urls.ownerUrl, 'SELECT value FROM kept')).toEqual([{ value: 'still here' }]);
    expect(serversOn(dataDir)).toBe(1);

    await end(second.process, 'SIGTERM');
    expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
    const third = await startOwner(way);
    expect(await query(third.urls.appUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('the data folder', () => {
  const way = ways[0] as Way;

  // One data folder for these, too.
  it('has one owner, keeps its passwords from other users, gives the application no more than it needs, and is refused in words without passwords', async () => {
    way.prepare(folder);
    const first = await startOwner(way);
    await expect(startOwner(way)).rejects.toThrow(
      `in use by process ${String(first.process.pid)}. Stop that process, or give this one a folder of its own`,
    );
    const { urls } = first;
    expect(await query(urls.appUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);

    const file = join(dataDir, 'postgres-credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toEqual([
      'administrator',
      'owner',
      'application',
    ]);
    await expect(query(urls.appUrl, 'CREATE TABLE mine (a int)')).rejects.toThrow('permission denied');
    const settings = await query(
      urls.appUrl,
      `SELECT current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding,
              (SELECT datcollate FROM pg_database WHERE datname = current_database()) AS "collate"`,
    );
    expect(settings).toEqual([{ fsync: 'on', encoding: 'UTF8', collate: 'C' }]);

    await end(first.process, 'SIGTERM');
    rmSync(file);
    await expect(startOwner(way)).rejects.toThrow('Restore the file from your backup');
  });

  it('forgets a creation that was cut off', async () => {
    way.prepare(folder);
    mkdirSync(join(dataDir, 'postgres', 'data.unfinished', 'base'), { recursive: true });
    const { urls } = await startOwner(way);
    expect(await query(urls.appUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

function startOwner(way: Way): Promise<Owner> {
  const child = spawn(process.execPath, [ownerScript, dataDir], {
    ...way.user,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: way.path ?? process.env['PATH'] },
  });
  started.push(child);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) =>
      resolve({ process: child, urls: JSON.parse(line.toString()) as Owner['urls'] }),
    );
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`The owner ended with ${String(code)}: ${said}`)));
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'close');
}

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Servers that were started on the folder. The processes of their sessions carry no such argument, but for the moment in which
 * they have been forked and not named yet: whose parent is a server is none.
 */
function serversOn(folderOfData: string): number {
  if (process.platform !== 'linux') return 1;
  const cluster = join(folderOfData, 'postgres', 'data');
  const named = readdirSync('/proc').filter((entry) => commandLine(entry).includes(`\0-D\0${cluster}\0`));
  return named.filter((pid) => !named.includes(parentOf(pid))).length;
}

/** Empty for a process that has ended. */
function parentOf(pid: string): string {
  const afterName = readProcess(pid, 'stat').split(') ').at(-1) ?? '';
  return afterName.split(' ')[1] ?? '';
}

const commandLine = (pid: string): string => readProcess(pid, 'cmdline');

function readProcess(pid: string, file: 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
