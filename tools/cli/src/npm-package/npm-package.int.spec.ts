import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';
import { version } from '../version.js';
import { pack } from './pack.js';
import { workspaceRoot } from './workspace.js';

if (process.env['TEST_ESBUILD'] === undefined) {
  throw new Error('TEST_ESBUILD is not set: npm run test:stack installs esbuild');
}

/** Milliseconds. */
jest.setTimeout(300_000);

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** An empty folder with a home of its own, into which the tarball is installed without a network. */
let folder: string;
let gateway: GatewayStandIn;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caprouter-installed-'));
  const [{ file }] = await Promise.all([pack(folder), mkdir(join(folder, 'home'))]);
  gateway = await GatewayStandIn.start();
  await writeFile(join(folder, 'package.json'), '{}');
  const installed = await ended('npm', ['install', '--offline', '--no-audit', '--no-fund', file]);
  expect(installed).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program in the folder, with nothing of this process's environment but the place of its programs. */
function ended(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { PATH, SystemRoot } = process.env;
  const own = {
    PATH,
    SystemRoot,
    HOME: join(folder, 'home'),
    npm_config_cache: join(folder, 'home', 'npm'),
    npm_config_update_notifier: 'false',
    CAPROUTER_GATEWAY_URL: gateway.origin,
    CAPROUTER_API_KEY: 'sk-environment00',
  };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env: { ...own, ...env } }, (error, out, said) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, error: said });
    });
  });
}

const npx = (...args: string[]): Promise<Ended> => ended('npx', ['--offline', 'caprouter', ...args]);

/** The permission model of Node: whatever it reads outside the folder ends it. */
const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';
const confined = (env: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended> =>
  ended(
    process.execPath,
    [
      '--no-warnings',
      permission,
      `--allow-fs-read=${join(folder, '*')}`,
      join(folder, 'node_modules/caprouter/bin/caprouter.js'),
      ...args,
    ],
    env,
  );

describe('the npm package of the command line', () => {
  it('is installed in an empty folder without a network, and brings nothing beside itself', async () => {
    expect((await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
      'caprouter',
    ]);
    const manifest = JSON.parse(await readFile(join(folder, 'node_modules/caprouter/package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ name: 'caprouter', version, license: 'Apache-2.0' });
    expect(manifest).not.toHaveProperty('dependencies');
  });

  it('runs by npx', async () => {
    expect(await npx('--version')).toMatchObject({ code: 0, out: `${version}\n` });
    expect(await npx('--help')).toMatchObject({ code: 0, out: expect.stringContaining('reconcile') });
    gateway.answer = { status: 200, body: { search_id: 's', results: [{ tool_id: 'acme.weather.now.v1' }] } };
    const found = await npx('discover', 'weather now');
    expect(found).toMatchObject({ code: 0, out: expect.stringContaining('acme.weather.now.v1') });
    expect(gateway.requests.at(-1)).toMatchObject({ line: 'POST /api/v1/search', body: { query: 'weather now' } });
  });

  it('reads nothing outside its folder, also where a command brings drivers and frameworks', async () => {
    const env = {
      BILLING_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      CAPABILITY_ROUTING_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    };
    expect(await confined(env, 'credits')).toMatchObject({ code: 0 });
    const unreached = { code: 3, error: expect.stringContaining('ECONNREFUSED') };
    expect(await confined(env, 'ledger', 'verify', '--no-topic')).toMatchObject(unreached);
    // Nest, TypeORM and the entities of a service.
    expect(await confined(env, 'parked', 'replay', 'capability-routing.tools', 'x')).toMatchObject(unreached);
    const looked = await confined(env, 'doctor');
    expect(looked).toMatchObject({ code: 1, out: expect.stringContaining('failed   database billing: ') });
  });

  it('names no path of the machine that made it, and the licences of what is in it', async () => {
    const own = join(folder, 'node_modules/caprouter');
    const files = await readdir(own, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      const text = await readFile(join(file.parentPath, file.name), 'utf8');
      expect({ file: file.name, path: text.includes(workspaceRoot) }).toEqual({ file: file.name, path: false });
    }
    const licences = await readFile(join(own, 'THIRD-PARTY-LICENCES'), 'utf8');
    for (const name of ['commander', 'pg', 'typeorm', 'kafkajs']) expect(licences).toContain(`\n${name} `);
    expect(licences).toContain('Permission is hereby granted');
  });
});
