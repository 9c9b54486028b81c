import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installExternal } from '@capability-router/tools-external';
import { workspaceRoot } from './workspace.js';

/** The oldest Node that runs it, as `engines` of the repository has it. */
const TARGET = 'node20.19';
/**
 * Packages that libraries look for at run time and that are not installed here either: adapters of Nest for other transports, the native
 * variant of the database driver. Any other module that is not found ends the build.
 */
const NOT_INSTALLED = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nats-io/transport-node',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'amqp-connection-manager',
  'mqtt',
  'pg-native',
];
/** Libraries in CommonJS ask for Node's own modules by `require`, which modules do not have. */
const REQUIRE =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/**
 * Writes `main.js` and the chunks that its commands load when they are asked for. Resolves to the files that went into
 * them, relative to the top of the repository.
 */
export async function bundle(folder: string): Promise<readonly string[]> {
  const installation = await installExternal('esbuild');
  const metafile = join(folder, 'inputs.json');
  const flags = [
    `main=${join('tools', 'cli', 'dist', 'main.js')}`,
    `--outdir=${folder}`,
    `--metafile=${metafile}`,
    '--bundle',
    '--platform=node',
    '--format=esm',
    `--target=${TARGET}`,
    // Commands that only speak HTTP load nothing of those that read databases.
    '--splitting',
    '--chunk-names=chunks/[name]-[hash]',
    '--minify-syntax',
    '--minify-whitespace',
    // Nest and TypeORM go by the names of classes.
    '--keep-names',
    // Decorators need it before the first class; between chunks, the order in which modules run is not that of their imports.
    `--inject:${join('node_modules', 'reflect-metadata', 'Reflect.js')}`,
    `--banner:js=${REQUIRE}`,
    '--legal-comments=none',
    '--log-level=error',
    ...NOT_INSTALLED.map((name) => `--external:${name}`),
  ];
  const program = join(installation, 'node_modules', 'esbuild', 'bin', 'esbuild');
  await promisify(execFile)(process.execPath, [program, ...flags], { cwd: workspaceRoot });
  const { inputs } = JSON.parse(await readFile(metafile, 'utf8')) as { inputs: Record<string, unknown> };
  return Object.keys(inputs);
}
