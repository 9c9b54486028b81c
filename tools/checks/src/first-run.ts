/**
 * `npm run first-run [-- --node <folder>]`: what the README promises to a newcomer, in a fresh clone of the commit that is
 * checked out: install, start, a paid call, books that agree, stop, start again. `--node` names the folder of another
 * `node` to do it with. Prints a line for each promise, and "N passed, N failed" at the end; exit code 1 on a failure.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Program } from './first-run/program.js';
import { capabilityQuery, reconciledCall, type DemoFile } from './first-run/reconciled-call.js';
import { workspaceRoot } from './workspace.js';

/** The port that the README names; something else may listen on it. */
const USUAL_PORT = 8080;
/** Milliseconds; a slow machine is no failure. */
const INSTALL_TIMEOUT_MS = 600_000;
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 60_000;
const BOOKS_TIMEOUT_MS = 120_000;
const POLL_MS = 250;
const RUNNING = 'The capability router is running.';

const { values } = parseArgs({ options: { node: { type: 'string' } } });
const PATH = [...(values.node === undefined ? [] : [values.node]), process.env['PATH'] ?? ''].join(delimiter);
// Settings of whoever runs this are not the newcomer's.
const env = { ...process.env, PATH, npm_config_userconfig: join(tmpdir(), 'no-such-npmrc') };
delete (env as NodeJS.ProcessEnv)['NODE_COMPILE_CACHE'];

const started = performance.now();
const folder = await mkdtemp(join(tmpdir(), 'capability-router-first-run-'));
const clone = join(folder, 'capability-router');
const occupied = await occupy(USUAL_PORT);
let passed = 0;
let failed = 0;

/** One promise; what throws breaks it, and those after it are not tried, since each needs the one before. */
async function promise(what: string, keep: () => Promise<void>): Promise<void> {
  if (failed > 0) return;
  const startedMs = performance.now();
  try {
    await keep();
    passed += 1;
    console.log(`ok   ${what} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${what}\n${String(error instanceof Error ? error.stack : error).replace(/^/gm, '     ')}`);
  }
}

const run = (command: string, ...args: string[]): Program => new Program(command, args, { cwd: clone, env });
const demoFile = async (): Promise<DemoFile> =>
  JSON.parse(await readFile(join(clone, 'data/demo.json'), 'utf8')) as DemoFile;
const version = (await new Program('node', ['--version'], { cwd: folder, env }).succeeds(STOP_TIMEOUT_MS)).trim();
let product: Program | undefined;

try {
  await promise('git clone', async () => {
    const args = ['clone', '--quiet', '--no-hardlinks', workspaceRoot, clone];
    await new Program('git', args, { cwd: folder, env }).succeeds(STOP_TIMEOUT_MS);
  });
  await promise('npm ci installs without a warning', async () => {
    const said = await run('npm', 'ci', '--no-audit', '--no-fund').succeeds(INSTALL_TIMEOUT_MS);
    if (/warn/i.test(said)) throw new Error(said);
  });
  for (const time of ['first', 'second']) {
    await promise(`npm start says that it runs, the ${time} time`, async () => {
      product = run('npm', 'start');
      await product.says(RUNNING, START_TIMEOUT_MS);
    });
    await promise('it warns of nothing', () => {
      const said = product?.output ?? '';
      return /warning/i.test(said) ? Promise.reject(new Error(said)) : Promise.resolve();
    });
    await promise('a paid call is charged in the audit and in the ledger', async () => {
      await reconciledCall(await demoFile());
    });
    await promise('a capability is served within its budget, and the answer says why', async () => {
      await capabilityQuery(await demoFile());
    });
    await promise('caprouter reconcile finds the books equal', async () => {
      const deadline = performance.now() + BOOKS_TIMEOUT_MS;
      for (;;) {
        const reconcile = run('npm', 'run', '--silent', 'caprouter', '--', 'reconcile', '--data-dir', 'data');
        const said = await reconcile.succeeds(BOOKS_TIMEOUT_MS);
        // The settlement watermark has not passed the call yet where the books hold no charge.
        if (/^equal$/m.test(said) && said.includes('consume_tool_execute')) return;
        if (performance.now() > deadline) throw new Error(said);
        await sleep(POLL_MS);
      }
    });
    await promise('Ctrl-C ends it', async () => {
      product?.interrupt();
      const code = await product?.ended(STOP_TIMEOUT_MS);
      if (code !== 0) throw new Error(`it ended with ${String(code)}\n${product?.output ?? ''}`);
    });
  }
} finally {
  product?.kill();
  occupied?.close();
  await rm(folder, { recursive: true, force: true });
}

console.log(
  `first run on Node ${version}: ${passed} passed, ${failed} failed (${((performance.now() - started) / 1000).toFixed(0)} s)`,
);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Listens on the port, so that the newcomer finds it taken; undefined where somebody else does already. */
function occupy(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen({ host: '127.0.0.1', port }, () => {
      resolve(server);
    });
  });
}
