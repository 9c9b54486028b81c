import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPython } from '@capability-router/tools-external';
import type { TestCounts } from '../jest-run.js';
import { workspaceRoot } from '../workspace.js';
import { originsOf, type FuzzedDocument, type FuzzKeys } from './keys.js';

const folder = join(workspaceRoot, 'tests/acceptance/fuzz');
const documents = join(workspaceRoot, 'apps/gateway/openapi');
/** Where the operations of each document are, and what is left out of their checks. */
const places = {
  public: { basePath: '/api/v1', config: 'schemathesis.toml' },
  admin: { basePath: '/admin/v1', config: 'schemathesis-admin.toml' },
} as const;

export interface FuzzOptions {
  readonly document: FuzzedDocument;
  /** At least. */
  readonly cases: number;
  readonly seed: number;
}

/** In a pass, requests of an operation that are made at random, beside those that its parameters alone ask for. */
const MAX_EXAMPLES = 5;
/** Who asks for fewer has no time for all that the parameters ask for, thousands of cases: they are made at random. */
const WHOLE_CASES = 1_000;
/** More than any number of cases asks for: a pass makes a thousand and more. */
const MAX_PASSES = 500;

/**
 * Passes of schemathesis until there were so many cases: the first of a thousand and more in every phase, the others at random, each with a seed of
 * its own. Replicas of the gateway are asked by turns. A pass is one test; each kind of fault that it finds is a failure.
 */
export async function playCases(
  { document, cases, seed }: FuzzOptions,
  env: Readonly<Record<string, string>>,
  keys: FuzzKeys,
): Promise<TestCounts> {
  const python =
    process.env['FUZZ_PYTHON'] ??
    (await installPython({ name: 'fuzz', requirements: join(folder, 'requirements.txt'), dependencies: true }));
  const origins = originsOf(env);
  let played = 0;
  let passed = 0;
  let failed = 0;
  for (let pass = 0; played < cases && pass < MAX_PASSES; pass += 1) {
    const phases = pass === 0 && cases >= WHOLE_CASES ? 'examples,coverage,fuzzing,stateful' : 'fuzzing,stateful';
    const report = await playPass(python, document, keys, [
      ...['--url', `${origins[pass % origins.length] ?? ''}${places[document].basePath}`, '--phases', phases],
      ...['--seed', String(seed + pass), '--max-examples', String(MAX_EXAMPLES)],
    ]);
    played += report.test_cases.generated;
    // An operation for which no case could be made is a failure, too.
    const faults = report.test_cases.unique_failures + report.errors.length;
    failed += report.exit_code === 0 ? faults : Math.max(1, faults);
    if (report.exit_code === 0 && faults === 0) passed += 1;
    console.log(`pass ${pass + 1}: ${report.test_cases.generated} cases, ${faults} faults`);
    if (report.test_cases.generated === 0) break;
  }
  console.log(`${played} cases were played`);
  return { passed, failed, skipped: 0 };
}

/** The part of the report of a pass that is looked at. */
interface Report {
  readonly exit_code: number;
  readonly test_cases: { readonly generated: number; readonly unique_failures: number };
  readonly errors: readonly unknown[];
}

async function playPass(
  python: string,
  document: FuzzedDocument,
  keys: FuzzKeys,
  args: readonly string[],
): Promise<Report> {
  const reports = await mkdtemp(join(tmpdir(), 'fuzz-report-'));
  const file = join(reports, 'run.json');
  try {
    const config = ['--config-file', join(folder, places[document].config)];
    const command = ['-m', 'schemathesis.cli', ...config, 'run', join(documents, `${document}.json`)];
    const report = ['--report', 'json', '--report-json-path', file, '--no-color'];
    await runSchemathesis(python, [...command, ...args, ...report], keys);
    return JSON.parse(await readFile(file, 'utf8')) as Report;
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
}

/** It says by its report how it ended, and on the output which requests found something. */
function runSchemathesis(python: string, args: readonly string[], keys: FuzzKeys): Promise<void> {
  const child = spawn(python, args, {
    cwd: folder,
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      FUZZ_KEYS: JSON.stringify({ by_scope: keys.byScope, own_ids: keys.ownIds }),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      process.off('exit', kill);
      resolve();
    });
  });
}
