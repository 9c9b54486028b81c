import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../tools/cli/bin/caprouter.js', import.meta.url));
const TIMEOUT_MS = 240_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** The output of `caprouter --json …`. @throws Error where it prints nothing, since then it has compared nothing */
export function caprouter(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(process.execPath, [program, '--json', ...args], options, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout) as Record<string, unknown>);
      } catch {
        reject(new Error(`caprouter ${args.join(' ')} failed: ${stderr}`, { cause: error }));
      }
    });
  });
}
