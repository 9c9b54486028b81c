// Builds what standalone needs for a start, as little as is right:
// - nothing where sources and built files are those of the last successful build;
// - what changed, with all checks, where the compiler has built before or sources were edited;
// - everything without checks of types where the sources are those of a commit, since a commit was checked.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  buildInfoOf,
  builtProjects,
  fingerprintOf,
  isNewerThanSources,
  projectsOf,
  sourcesOf,
  stampFile,
  startedProject,
} from './projects.mjs';
import { transpile } from './transpile.mjs';

const GIT_TIMEOUT_MS = 10_000;
/** A compiler run is interrupted by a signal to it. */
const nothingToStop = () => undefined;

/** Why there is nothing to start, worded for a person: what the compiler said, or what is missing. */
export class BuildError extends Error {}

/**
 * @param {string} root top of the repository
 * @param {import('../progress.mjs').Progress} progress
 * @param {(stop: () => void) => void} setStop told how to end what runs at the moment
 * @returns {Promise<'none' | 'transpiled' | 'checked'>} what was done
 * @throws BuildError
 */
export async function buildIfNeeded(root, progress, setStop = nothingToStop) {
  if (!existsSync(join(root, startedProject, 'src'))) {
    // A production image has no sources.
    if (existsSync(join(root, startedProject, 'dist/main.js'))) return 'none';
    throw new BuildError('There is nothing to start: this copy holds neither sources nor what is built of them.');
  }
  const projects = projectsOf(root);
  const sources = sourcesOf(root, projects);
  const stamp = readStamp(root);
  if (stamp !== undefined && stamp === fingerprintOf(root, projects, sources)) return 'none';
  const compiler = join(root, 'node_modules/typescript7/bin/tsc');
  if (!existsSync(compiler) || !existsSync(join(root, 'node_modules/@swc/core'))) {
    if (isNewerThanSources(sources)) return 'none';
    throw new BuildError('The sources are not built and the compiler is not installed. Run: npm ci && npm start');
  }
  rmSync(stampFile(root), { force: true });
  const tracked = projects.every((project) => existsSync(buildInfoOf(root, project)));
  const how = !tracked && isAsCommitted(root, projects, stamp === undefined) ? 'transpiled' : 'checked';
  if (how === 'transpiled') {
    progress.step(stamp === undefined ? 'Building (first start)' : 'Building');
    await transpile(root, projects, sources, (done) => {
      if (done % 50 === 0) progress.detail(`${done} of ${sources.length} files`);
    }).catch((error) => {
      throw new BuildError(`The build failed:\n${error.message}`);
    });
  } else {
    progress.step('Building and checking what has changed');
    await compile(root, compiler, setStop);
    if (fingerprintOf(root, projects, sources) === undefined) {
      // The compiler trusts what it remembers, and somebody has deleted built files.
      for (const project of projects) rmSync(buildInfoOf(root, project), { force: true });
      await compile(root, compiler, setStop);
    }
  }
  writeStamp(root, fingerprintOf(root, projects, sources));
  return how;
}

/** Where git cannot tell, what was never built is taken for a release, and what was built before for edited. */
function isAsCommitted(root, projects, isFirst) {
  const folders = [...projects, 'tsconfig.base.json'];
  const git = spawnSync('git', ['--no-optional-locks', 'status', '--porcelain', '--', ...folders], {
    cwd: root,
    encoding: 'utf8',
    timeout: GIT_TIMEOUT_MS,
  });
  return git.status === 0 ? git.stdout === '' : isFirst;
}

function compile(root, compiler, setStop) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [compiler, '-b', ...builtProjects(root)], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    setStop(() => child.kill('SIGTERM'));
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      setStop(nothingToStop);
      if (code === 0) resolve();
      else reject(new BuildError(`The build failed:\n${said.trim()}`));
    });
  });
}

function readStamp(root) {
  try {
    return readFileSync(stampFile(root), 'utf8');
  } catch {
    return undefined;
  }
}

/** Where it cannot be written, the next start looks again. */
function writeStamp(root, fingerprint) {
  if (fingerprint === undefined) return;
  try {
    mkdirSync(dirname(stampFile(root)), { recursive: true });
    writeFileSync(stampFile(root), fingerprint);
  } catch {
    // Read-only.
  }
}
