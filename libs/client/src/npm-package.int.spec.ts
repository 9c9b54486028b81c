import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { answers, breaks, ScriptedRouter } from './test-support/scripted-router.js';

const publintFolder = process.env['TEST_PUBLINT'];
if (publintFolder === undefined) throw new Error('TEST_PUBLINT is not set: npm run test:stack installs publint');

/** Milliseconds. */
jest.setTimeout(300_000);

const workspaceRoot = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
const requireOfRoot = createRequire(join(workspaceRoot, 'package.json'));

/** An empty folder of somebody else, into which the tarballs are installed without a network. */
let folder: string;
let own: string;
let router: ScriptedRouter;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-installed-'));
  own = join(folder, 'node_modules/@capability-router/client');
  router = await ScriptedRouter.start();
  const dependencies = ['openapi-fetch', 'openapi-typescript-helpers'].map((name) => `node_modules/${name}`);
  const flags = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const folders = ['libs/client', ...dependencies].map((path) => `./${path}`);
  const { stdout } = await run('npm', [...flags, ...folders], { cwd: workspaceRoot });
  const tarballs = (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => `./${filename}`);
  await mkdir(join(folder, 'home'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const env = { PATH: process.env['PATH'], HOME: join(folder, 'home'), npm_config_cache: join(folder, 'home/npm') };
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: folder, env });
});
afterAll(async () => {
  await router.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A program as a stranger writes it; the lines that must not compile say so. */
const program = `
import { createClient, NoAnswerError, RefusedError, type Schema } from '@capability-router/client';

declare const process: { readonly argv: readonly string[] };
const router = createClient({ baseUrl: process.argv[2] ?? '', apiKey: () => 'sk-test', retry: { maxRetries: 2 } });
const found = await router.POST('/search', { body: { query: 'x', limit: 1 }, signal: AbortSignal.timeout(60_000) });
const toolId: string | undefined = found.data.results[0]?.tool_id;
const body = { tool_id: toolId ?? '', parameters: { expression: '6 * 7' } };
const { data, idempotencyKey, response } = await router.POST('/tools/execute', { body, idempotencyKey: 'mine' });
const success: boolean = data.success;
const cost: number | null | undefined = data.cost;
const row: Schema<'UsageEvent'> = await router.settledUsage(data.execution_id);
const settled: 'pending' | 'settled' | 'uncollected' | 'not_applicable' = row.billing_snapshot_status;
const csv: string = (await router.GET('/auth/credits/ledger/export', { parseAs: 'text' })).data;
for await (const item of router.everyItem('/auth/usage/history/v2/summary', { kind: 'call' })) {
  const id: string = item.id;
  console.log(id);
}
try {
  await router.GET('/auth/credits');
} catch (error) {
  if (!(error instanceof RefusedError) && !(error instanceof NoAnswerError)) throw error;
  console.log(error instanceof RefusedError ? error.status : error.reason, error.attempts);
}
console.log(JSON.stringify([success, cost, settled, csv.length, idempotencyKey, response.status]));

export const refused = async (): Promise<void> => {
  // @ts-expect-error no such path
  await router.GET('/nowhere');
  // @ts-expect-error no such method of the path
  await router.GET('/search');
  // @ts-expect-error a body is needed
  await router.POST('/tools/execute');
  // @ts-expect-error no such member of the body
  await router.POST('/tools/by-ids', { body: { tool_ids: ['a'], tool: 'a' } });
  // @ts-expect-error the parameter of the path is needed
  await router.GET('/auth/credits/ledger/{entry_id}');
  // @ts-expect-error no such parameter
  await router.GET('/auth/credits/ledger', { params: { query: { pages: 1 } } });
  // @ts-expect-error a search has no idempotency key
  await router.POST('/search', { body: { query: 'x' }, idempotencyKey: 'mine' });
  // @ts-expect-error a number
  const left: string = (await router.GET('/auth/credits')).data.data.remaining_credits;
  console.log(left);
};
`;

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  target: 'es2022',
  // The platform that it needs is that of browsers; Node has it as well.
  lib: ['es2023', 'dom'],
  types: [],
  skipLibCheck: false,
  outDir: 'out',
};

describe('the npm package of the client', () => {
  it.each([
    ['Node, by the compiler of before', 'typescript', { module: 'nodenext' }],
    ['Node', 'typescript7', { module: 'nodenext' }],
    ['a bundler', 'typescript7', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('compiles in the strictest project, for %s', async (_for, compiler, options) => {
    const compilerOptions = { ...strict, ...options };
    await writeFile(join(folder, 'main.ts'), program);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
    const tsc = join(dirname(requireOfRoot.resolve(`${compiler}/package.json`)), 'bin/tsc');
    const compiled = run(process.execPath, [tsc, '-p', folder]).catch((error: unknown) => error as { stdout: string });
    expect((await compiled).stdout).toBe('');
  });

  it('runs where nothing else is', async () => {
    const page = { data: { items: [{ id: 'u1', billing_snapshot_status: 'settled' }], has_more: false } };
    router.script(
      answers(200, { results: [{ tool_id: 'a.b.v1' }] }),
      breaks,
      answers(200, { execution_id: 'exec_1', success: true, cost: 0.5 }),
      answers(200, page),
      answers(200, 'id\n'),
      answers(200, page),
      answers(401, { message: 'Invalid API key' }),
    );
    const { stdout } = await run(process.execPath, ['out/main.js', router.origin], { cwd: folder });
    expect(stdout).toBe('u1\n401 1\n[true,0.5,"settled",3,"mine",200]\n');
  });

  it('has what it needs and nothing of its tests, and no fault of a package', async () => {
    const files = (await readdir(own, { recursive: true })).filter((file) => /LICENSE$|\.\w+$/.test(file));
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
    );
    expect(files.filter((file) => /spec|test-support|tsbuildinfo/.test(file))).toEqual([]);
    expect((await readdir(join(folder, 'node_modules/@capability-router'))).toSorted()).toEqual(['client']);
    const manifest = await readFile(join(own, 'package.json'), 'utf8');
    expect(Object.keys((JSON.parse(manifest) as { dependencies: object }).dependencies)).toEqual([
      'openapi-fetch',
      'openapi-typescript-helpers',
    ]);
    const entry = createRequire(join(publintFolder, 'package.json')).resolve('publint');
    const { publint } = (await import(pathToFileURL(entry).href)) as {
      publint(options: object): Promise<{ messages: readonly object[] }>;
    };
    expect((await publint({ pkgDir: own, pack: false, strict: true, level: 'warning' })).messages).toEqual([]);
  });
});
