import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { thirdPartyLicences } from '@capability-router/tools-image';
import { bundle } from './bundle.js';
import { manifest, program, readme } from './manifest.js';
import { workspaceRoot } from './workspace.js';

export interface Packed {
  /** Path of the tarball. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** Bytes of all its files. */
  readonly unpackedSize: number;
}

/** Makes the npm package of the command line from what was built, as a tarball in `folder`. */
export async function pack(folder: string): Promise<Packed> {
  await mkdir(folder, { recursive: true });
  const staged = await mkdtemp(join(tmpdir(), 'caprouter-package-'));
  try {
    await stage(staged);
    const flags = ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(folder)];
    // npm is a batch file on Windows.
    const { stdout } = await promisify(execFile)('npm', flags, { cwd: staged, shell: process.platform === 'win32' });
    const [packed] = JSON.parse(stdout) as [{ filename: string; size: number; unpackedSize: number }];
    return { file: join(folder, packed.filename), size: packed.size, unpackedSize: packed.unpackedSize };
  } finally {
    await rm(staged, { recursive: true });
  }
}

async function stage(folder: string): Promise<void> {
  const files = await bundle(join(folder, 'dist'));
  await rm(join(folder, 'dist', 'inputs.json'));
  await mkdir(join(folder, 'bin'));
  await Promise.all([
    writeFile(join(folder, 'bin', 'caprouter.js'), program, { mode: 0o755 }),
    writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`),
    writeFile(join(folder, 'README.md'), readme),
    writeFile(join(folder, 'THIRD-PARTY-LICENCES'), await thirdPartyLicences(files)),
    ...['LICENSE', 'NOTICE'].map((file) => cp(join(workspaceRoot, file), join(folder, file))),
  ]);
}
