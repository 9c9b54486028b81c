import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../cli/bin/caprouter.js', import.meta.url));
/** The settlement watermark stands five seconds behind the clock: what came last is to be compared too. */
const WATERMARK_MS = 6_000;
const TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** How `caprouter` finds the books of a deployment. */
export interface BooksPlace {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** @throws Error with the differences, where executions, ledger, audit and topic do not tell the same */
export async function assertReconciled({ args, env }: BooksPlace): Promise<void> {
  await sleep(WATERMARK_MS);
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(process.execPath, [program, 'reconcile', ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`the books do not reconcile:\n${stdout}${stderr}`));
    });
  });
}
