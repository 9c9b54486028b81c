import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedFolder, installExternal } from '@capability-router/tools-external';
import { workspaceRoot } from './workspace.js';

export const clientTypesFile = 'libs/client/src/generated/public-api.ts';

/** A member with a default may be left out. */
const FLAGS = ['--immutable', '--export-type', '--default-non-nullable=false'];
/** Characters of each digest. */
const DIGEST_LENGTH = 32;
const headPattern = /^\/\*\*\n[^]*?\bfrom ([0-9a-f]{32}), types ([0-9a-f]{32})\.\n \*\/\n/;

/** Whether a file of types was made from this document by this generator, and not changed since: its head holds both digests. */
export function isMadeFrom(text: string, document: string): boolean {
  const [head = '', source, types] = headPattern.exec(text) ?? [];
  return head !== '' && source === sourceDigest(document) && types === digest(text.slice(head.length));
}

/**
 * The types of libs/client. Where the file is as it has to be it stays; the generator is a package outside the workspaces, which a check
 * does without.
 */
export async function clientTypes(document: string, check: boolean): Promise<string> {
  const file = join(workspaceRoot, clientTypesFile);
  const present = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (isMadeFrom(present, document)) return present;
  return check ? '' : withHead(await generate(document), document);
}

/** The file as the generator makes it now. */
export async function generate(document: string): Promise<string> {
  const installation = await installExternal('openapi-typescript');
  const folder = await mkdtemp(join(tmpdir(), 'client-types-'));
  try {
    const [input, output] = [join(folder, 'public.json'), join(folder, 'public-api.ts')];
    await writeFile(input, document);
    const program = join(installation, 'node_modules/openapi-typescript/bin/cli.js');
    await promisify(execFile)(process.execPath, [program, input, '--output', output, ...FLAGS], { cwd: folder });
    // Its own head says that nothing may be changed, without saying where it comes from.
    const types = (await readFile(output, 'utf8')).replace(/^\/\*\*[^]*?\*\/\s*/, '');
    const { format } = await import('oxfmt');
    return (await format(clientTypesFile, types, { printWidth: 120, singleQuote: true })).code;
  } finally {
    await rm(folder, { recursive: true });
  }
}

export function withHead(types: string, document: string): string {
  return `/**
 * The public interface as types, made by \`npm run docs\` from apps/gateway/openapi/public.json with openapi-typescript ${generatorVersion()}.
 * This file is long because it has every path, parameter and answer. Digests by which a change is found:
 * from ${sourceDigest(document)}, types ${digest(types)}.
 */
${types}`;
}

const sourceDigest = (document: string): string => digest(`${generatorVersion()}\n${FLAGS.join(' ')}\n${document}`);

function generatorVersion(): string {
  const manifest = JSON.parse(readFileSync(join(installedFolder('openapi-typescript'), 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return manifest.dependencies['openapi-typescript'] ?? '';
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
