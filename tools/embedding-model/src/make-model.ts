import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedFolder, installPython, runCommand } from '@capability-router/tools-external';

const source = fileURLToPath(new URL('../model', import.meta.url));

/** Writes the model, its settings and its runtime into the folder, which is made where it is missing. Rejects when a part fails. */
export async function makeModel(folder: string): Promise<void> {
  const requirements = join(source, 'requirements.txt');
  const python = await installPython({ name: 'embedding-model', requirements, dependencies: false });
  await mkdir(folder, { recursive: true });
  await runCommand(python, [join(source, 'make_model.py'), folder]);
  for (const name of ['search.json', 'NOTICE']) await copyFile(join(source, name), join(folder, name));
  await installRuntime(folder);
}

/** From the lock file of the external package, so that what runs is what was measured. */
async function installRuntime(folder: string): Promise<void> {
  const locked = installedFolder('onnxruntime-node');
  for (const name of ['package.json', 'package-lock.json']) await copyFile(join(locked, name), join(folder, name));
  // Its script would fetch libraries for graphics cards.
  await runCommand('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'], folder);
  await keepOwnPlatform(join(folder, 'node_modules/onnxruntime-node/bin/napi-v6'));
}

/** The runtime comes with the libraries of every system, 250 MB of which no single machine uses. */
async function keepOwnPlatform(libraries: string): Promise<void> {
  for (const platform of await readdir(libraries)) {
    for (const architecture of await readdir(join(libraries, platform))) {
      if (platform === process.platform && architecture === process.arch) continue;
      await rm(join(libraries, platform, architecture), { recursive: true });
    }
  }
}
