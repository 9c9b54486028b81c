import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../ports.js';
import { medianOf } from '../statistics.js';
import { workspaceRoot } from '../workspace.js';
import { firstAcceptedCall } from './first-accepted-call.js';

const run = promisify(execFile);

/** Milliseconds. */
const INSTALL_TIMEOUT_MS = 600_000;
const CALL_TIMEOUT_MS = 300_000;
const BYTES_PER_KILOBYTE = 1_024;
const OUTPUT_TAIL_LENGTH = 4_000;

export interface FreshClone {
  readonly cloneMs: number;
  readonly installMs: number;
  readonly nodeModulesBytes: number;
  /** From `npm start` to the first accepted paid call. */
  readonly firstStartMs: number;
  readonly secondStartMs: number;
  /** Install and first start, one right after the other. */
  readonly toFirstCallMs: number;
}

export interface FreshCloneResult {
  readonly rounds: number;
  /** In the order of the revisions; `name` is the short hash of the commit. */
  readonly trees: readonly { readonly name: string; readonly median: FreshClone }[];
  /** The load of one minute, least and most at the beginning of a round. */
  readonly load: { readonly least: number; readonly most: number };
}

/**
 * Clone, install with whatever is in npm's cache, first and second start of each revision of this repository. The
 * revisions take turns, so that a busy minute of the machine falls on all of them.
 */
export async function measureFreshClones(
  revisions: readonly string[],
  rounds: number,
  log: (line: string) => void,
): Promise<FreshCloneResult> {
  const names = await Promise.all(revisions.map((revision) => git('rev-parse', '--short', `${revision}^{commit}`)));
  const measured = names.map((name) => ({ name, all: [] as FreshClone[] }));
  const loads: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, all } of round % 2 === 0 ? measured : [...measured].reverse()) {
      loads.push(loadavg()[0] ?? 0);
      const one = await measureOnce(name);
      all.push(one);
      log(
        `fresh clone of ${name}: install ${one.installMs.toFixed(0)} ms, first start ${one.firstStartMs.toFixed(0)} ms, second ${one.secondStartMs.toFixed(0)} ms`,
      );
    }
  }
  return {
    rounds,
    trees: measured.map(({ name, all }) => ({ name, median: mediansOf(all) })),
    load: { least: Math.min(...loads), most: Math.max(...loads) },
  };
}

function mediansOf(all: readonly FreshClone[]): FreshClone {
  return {
    cloneMs: medianOf(all, (one) => one.cloneMs),
    installMs: medianOf(all, (one) => one.installMs),
    nodeModulesBytes: medianOf(all, (one) => one.nodeModulesBytes),
    firstStartMs: medianOf(all, (one) => one.firstStartMs),
    secondStartMs: medianOf(all, (one) => one.secondStartMs),
    toFirstCallMs: medianOf(all, (one) => one.toFirstCallMs),
  };
}

async function measureOnce(commit: string): Promise<FreshClone> {
  const folder = await mkdtemp(join(tmpdir(), 'capability-router-clone-'));
  const tree = join(folder, 'tree');
  const dataDir = join(folder, 'data');
  try {
    const cloneMs = await timed(async () => {
      await git('clone', '--quiet', '--no-checkout', `file://${workspaceRoot}`, tree);
      await git('-C', tree, 'checkout', '--quiet', '--detach', commit);
    });
    const install = ['ci', '--prefer-offline', '--no-audit', '--no-fund'];
    const installMs = await timed(() => run('npm', install, { cwd: tree, timeout: INSTALL_TIMEOUT_MS }));
    const firstStartMs = await timedStart(tree, dataDir);
    const secondStartMs = await timedStart(tree, dataDir);
    const nodeModulesBytes = await sizeOfNodeModules(tree);
    const toFirstCallMs = installMs + firstStartMs;
    return { cloneMs, installMs, nodeModulesBytes, firstStartMs, secondStartMs, toFirstCallMs };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Milliseconds from `npm start` to the first accepted call; the process is stopped afterwards. */
async function timedStart(tree: string, dataDir: string): Promise<number> {
  const port = await freePort();
  const begunMs = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: tree,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(npm, 'close');
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-OUTPUT_TAIL_LENGTH)));
  }
  try {
    const apiKey = (): string =>
      (JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as { api_key: string }).api_key;
    await Promise.race([
      firstAcceptedCall({ origin: `http://127.0.0.1:${port}`, apiKey }, CALL_TIMEOUT_MS),
      ended.then(() => Promise.reject(new Error(`npm start ended:\n${output}`))),
    ]);
    return performance.now() - begunMs;
  } finally {
    // By the id in its lock: the shell between npm and an older release does not hand signals on.
    const lock = join(dataDir, 'standalone.lock');
    if (existsSync(lock)) {
      process.kill((JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }).pid, 'SIGTERM');
    } else npm.kill('SIGTERM');
    await ended;
  }
}

/** Counts those of the workspaces too: npm puts a second version of a package beside the one that needs it. */
async function sizeOfNodeModules(tree: string): Promise<number> {
  const found = await run('find', [tree, '-name', 'node_modules', '-type', 'd', '-prune']);
  const { stdout } = await run('du', ['-skc', ...found.stdout.trim().split('\n')]);
  return Number(/^(\d+)\s+total$/m.exec(stdout)?.[1]) * BYTES_PER_KILOBYTE;
}

async function git(...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: workspaceRoot })).stdout.trim();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begunMs = performance.now();
  await work();
  return performance.now() - begunMs;
}
