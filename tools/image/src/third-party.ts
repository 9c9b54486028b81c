import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from './workspace.js';

const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** The names, versions and licences of the packages that the files belong to, in full. Throws for one that neither declares one nor has its text. */
export async function thirdPartyLicences(files: readonly string[]): Promise<string> {
  const folders = new Set(files.flatMap((file) => PACKAGE_FOLDER.exec(file)?.[0] ?? []));
  const texts = await Promise.all([...folders].toSorted().map((folder) => licenceOf(join(workspaceRoot, folder))));
  return ['This holds the following software of others.', ...texts].join(`\n\n${'-'.repeat(80)}\n\n`);
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly [member: string]: unknown;
  };
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name)).map((entry) => entry.name);
  const declared = typeof license === 'string' ? license : found.length > 0 ? 'its own' : undefined;
  if (declared === undefined) throw new Error(`${String(name)} declares no licence: ${folder}/package.json`);
  const texts = await Promise.all(found.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
  return [`${String(name)} ${String(version)} (${declared})`, ...texts.map((text) => text.trim())].join('\n\n');
}
