import { spawnSync, type SpawnOptions } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, lchownSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.js';

/** How programs of the database are run: PostgreSQL refuses to run as root, so under root they get another user. */
export interface Launcher {
  /** Undefined when programs run as the user that runs node. */
  readonly user: SystemUser | undefined;
  command(program: string, args: readonly string[]): { file: string; args: string[]; options: SpawnOptions };
}

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const probeTimeoutMs = 10_000;

/**
 * Chooses the way to run and proves it: the folder can be written and the program starts. Under root, ownership of
 * `folder` (and of nothing else) goes to the user that the database will run as.
 */
export function chooseLauncher(folder: string, program: string): Launcher {
  if (process.getuid?.() !== 0) return withoutOrphans(direct, folder, program);
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresError('PostgreSQL does not run as root: start as an ordinary user.');
  }
  const user = ownerOf(folder) ?? unprivilegedUser();
  giveTo(user, folder);
  const failures: string[] = [];
  for (const launcher of [asUser(user), throughClosedFolders(user)]) {
    const failure = probe(launcher, folder, program);
    if (failure === undefined) return withoutOrphans(launcher, folder, program);
    failures.push(failure);
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and user id ${String(user.uid)} cannot reach ${folder} or ${program} ` +
      `(${failures.join('; ')}). Any one of these helps: start as an ordinary user; move the project and DATA_DIR to a ` +
      'folder that others may enter (such as /srv or /opt); chmod o+x the folders above them; install util-linux ' +
      '(setpriv).',
  );
}

const direct: Launcher = {
  user: undefined,
  command: (program, args) => ({ file: program, args: [...args], options: {} }),
};

function asUser(user: SystemUser): Launcher {
  return {
    user,
    command: (program, args) => ({ file: program, args: [...args], options: { uid: user.uid, gid: user.gid } }),
  };
}

/**
 * For a project below a folder that only root may enter, such as /root: an unprivileged user who keeps the one
 * capability to pass closed folders. `no_setuid_fixup` makes access(2) honour it, by which PostgreSQL finds itself.
 */
function throughClosedFolders(user: SystemUser): Launcher {
  const flags = [
    '--securebits=+no_setuid_fixup',
    `--reuid=${String(user.uid)}`,
    `--regid=${String(user.gid)}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  return {
    user,
    command: (program, args) => ({ file: 'setpriv', args: [...flags, program, ...args], options: {} }),
  };
}

/** Where setpriv is there, the server is told to shut down when node dies, by kill -9 too. */
function withoutOrphans(base: Launcher, folder: string, program: string): Launcher {
  const launcher: Launcher = {
    user: base.user,
    command: (file, args) => base.command('setpriv', ['--pdeathsig', 'INT', file, ...args]),
  };
  return process.platform === 'linux' && probe(launcher, folder, program) === undefined ? launcher : base;
}

function probe(launcher: Launcher, folder: string, program: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const script = '[ -w "$1" ] && [ -x "$1" ] || { echo "no access to $1" >&2; exit 1; }; exec "$2" --version';
  const { file, args, options } = launcher.command('/bin/sh', ['-c', script, 'sh', folder, program]);
  const result = spawnSync(file, args, {
    uid: options.uid,
    gid: options.gid,
    cwd: '/',
    encoding: 'utf8',
    timeout: probeTimeoutMs,
  });
  if (result.status === 0) return undefined;
  return result.error?.message ?? (result.stderr.trim() || `exit ${String(result.status)}`);
}

/** A folder that already belongs to an ordinary user keeps its owner. */
function ownerOf(folder: string): SystemUser | undefined {
  const { uid, gid } = lstatSync(folder);
  return uid === 0 ? undefined : { uid, gid };
}

function unprivilegedUser(): SystemUser {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['nobody', 'daemon']) {
    const [, , uid, gid] = users.find((fields) => fields[0] === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and this system has no user "nobody". Start as an ordinary user.',
  );
}

function giveTo(user: SystemUser, folder: string): void {
  if (lstatSync(folder).uid === user.uid) return;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, entry), user.uid, user.gid);
  }
  lchownSync(folder, user.uid, user.gid);
}
