import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { externalVariables } from './external-variables.js';
import { isForEveryPostgres, isForLongRun, measuresTime } from './spec-marks.js';
import { workspaceRoot } from './workspace.js';

export interface SpecFiles {
  /** Need nothing that runs already: pure ones, and those that start what they need. */
  readonly selfContained: readonly string[];
  /** The same, but marked with `@measures-time`: nothing may run beside them. */
  readonly measuringTime: readonly string[];
  /** Need a PostgreSQL and nothing else. */
  readonly postgres: readonly string[];
  /** Those of `postgres` whose result may depend on its version: marked with `@postgres-versions`. */
  readonly everyPostgres: readonly string[];
  /** Need Kafka, Redis, kubectl or a large package of `tools/external`: more than `npm ci` on a machine with Node gives. */
  readonly stack: readonly string[];
  /** Black box over HTTP. */
  readonly acceptance: readonly string[];
  /** The same in a browser, which `TEST_CHROMIUM` names. */
  readonly browser: readonly string[];
  /** Kill services of the real stack. */
  readonly faults: readonly string[];
  /** Marked with `@long-run`: they start what they need, and are in no other list. */
  readonly longRun: readonly string[];
}

const specFolders = ['apps', 'libs', 'tools', 'tests'];
const stackNeeds = new RegExp(
  [
    'TEST_KAFKA_BROKERS',
    'startSecured(Kafka|Postgres)',
    'startRedisServer',
    'TEST_REDIS_URL',
    'kubectl',
    ...Object.keys(externalVariables),
  ].join('|'),
);
const skippedFolders = new Set(['node_modules', 'dist']);

/** Every spec file of the repository, by what it needs; a spec whose name tells no kind is an error. */
export async function findSpecFiles(): Promise<SpecFiles> {
  const found: Record<keyof SpecFiles, string[]> = {
    selfContained: [],
    measuringTime: [],
    postgres: [],
    everyPostgres: [],
    stack: [],
    acceptance: [],
    browser: [],
    faults: [],
    longRun: [],
  };
  for (const folder of specFolders) {
    for await (const path of specsIn(join(workspaceRoot, folder))) {
      const kind = await kindOf(path);
      const content = await readFile(path, 'utf8');
      if (isForLongRun(content)) {
        found.longRun.push(path);
        continue;
      }
      const isMeasuring = measuresTime(content);
      if (isMeasuring && kind !== 'selfContained')
        throw new Error(`${path}: @measures-time says nothing on a spec of this kind`);
      found[isMeasuring ? 'measuringTime' : kind].push(path);
      if (!isForEveryPostgres(content)) continue;
      if (kind !== 'postgres') throw new Error(`${path}: @postgres-versions says nothing on a spec of this kind`);
      found.everyPostgres.push(path);
    }
  }
  return found;
}

async function kindOf(path: string): Promise<Exclude<keyof SpecFiles, 'everyPostgres' | 'measuringTime' | 'longRun'>> {
  if (path.endsWith('.acc.spec.ts')) return (await mentions(path, /TEST_CHROMIUM/)) ? 'browser' : 'acceptance';
  if (path.endsWith('.fault.spec.ts')) return 'faults';
  if (/\.(unit|int|sim)\.spec\.ts$/.test(path)) {
    if (await mentions(path, stackNeeds)) return 'stack';
    // The test kits open databases of their own on that server.
    return (await mentions(path, /TEST_POSTGRES_URL|@capability-router\/(event-store|service-kit)\/testing/))
      ? 'postgres'
      : 'selfContained';
  }
  throw new Error(`${path}: name it .unit, .int, .sim, .acc or .fault before .spec.ts, so that it runs where it can`);
}

interface Source {
  readonly content: string;
  /** Files that it imports by a relative path. */
  readonly imports: readonly string[];
}

/** Most files are imported by many specs. */
const sources = new Map<string, Promise<Source>>();

async function readSource(path: string): Promise<Source> {
  if (!existsSync(path)) return { content: '', imports: [] };
  const content = await readFile(path, 'utf8');
  const imports = [...content.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)\.js'/g)];
  return { content, imports: imports.map(([, target]) => join(dirname(path), `${target ?? ''}.ts`)) };
}

/** Does the file, or a file that it imports by a relative path, contain the pattern? */
async function mentions(path: string, pattern: RegExp, seen = new Set<string>()): Promise<boolean> {
  if (seen.has(path)) return false;
  seen.add(path);
  const source = sources.get(path) ?? readSource(path);
  sources.set(path, source);
  const { content, imports } = await source;
  if (pattern.test(content)) return true;
  for (const target of imports) if (await mentions(target, pattern, seen)) return true;
  return false;
}

async function* specsIn(folder: string): AsyncGenerator<string> {
  if (!existsSync(folder)) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) yield* specsIn(path);
    else if (entry.name.endsWith('.spec.ts')) yield path;
  }
}
