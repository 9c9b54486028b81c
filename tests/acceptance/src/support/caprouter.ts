/** The command line beside the deployment under test, as whoever runs it would use it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { adminKey, nextOrigin } from './environment.js';
import { asObject, type JsonObject } from './json.js';

const program = fileURLToPath(new URL('../../../../tools/cli/bin/caprouter.js', import.meta.url));
const TIMEOUT_MS = 150_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Standalone is found by its data folder, a distributed deployment by the variables of its services. */
function place(): string[] {
  const dataDir = process.env['ACCEPTANCE_DATA_DIR'] ?? '';
  if (dataDir !== '') return ['--data-dir', dataDir];
  if ((process.env['BILLING_DATABASE_URL'] ?? '') !== '') return [];
  throw new Error('set ACCEPTANCE_DATA_DIR, or BILLING_DATABASE_URL and the other variables that caprouter reads');
}

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that reads the books. */
export const caprouter = (...args: string[]): Promise<Ran> => caprouterWith({}, ...args);

/** The same, with variables of its own. */
export const caprouterWith = (env: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran> =>
  run([...args, ...place()], env);

/** A command that asks the gateway, as an administrator. */
export const caprouterAsAdmin = (...args: string[]): Promise<Ran> =>
  run(args, { CAPROUTER_GATEWAY_URL: nextOrigin(), CAPROUTER_API_KEY: adminKey });

function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, env: { ...process.env, ...env } };
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      const code: unknown = error === null ? 0 : error.code;
      resolve({ exitCode: typeof code === 'number' ? code : -1, stdout, stderr });
    });
  });
}

export async function caprouterJson(...args: string[]): Promise<{ exitCode: number; json: JsonObject }> {
  const { exitCode, stdout, stderr } = await caprouter('--json', ...args);
  if (stdout === '') throw new Error(`caprouter ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  return { exitCode, json: asObject(JSON.parse(stdout)) };
}
