import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@capability-router/tools-stack';

const TIMEOUT_MS = 600_000;

/** The commit of the last version in CHANGELOG.md, from which upgrades are to work. Throws where it names none. */
export async function lastRelease(): Promise<string> {
  const changelog = await readFile(join(workspaceRoot, 'CHANGELOG.md'), 'utf8');
  const released = /^## \[\d[^\n]*\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog)?.[1] ?? '';
  const commit = /`([0-9a-f]{40})`/.exec(released)?.[1];
  if (commit === undefined) throw new Error('CHANGELOG.md names no commit of its last version');
  return commit;
}

/** Checks out, installs and builds a commit of this repository in the folder: its programs run from there. */
export async function buildCommit(commit: string, folder: string): Promise<void> {
  await mkdir(folder);
  const archive = join(folder, 'archive.tar');
  await run('git', ['archive', `--output=${archive}`, commit], workspaceRoot);
  await run('tar', ['-xf', archive], folder);
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], folder);
  await run('npm', ['run', '--silent', 'build'], folder);
}

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(program, args, { cwd, timeout: TIMEOUT_MS });
}
