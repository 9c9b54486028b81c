import { spawn } from 'node:child_process';
import { workspaceRoot } from './workspace.js';

export interface CommandResult {
  /** 128 + n when signal n ended it. */
  readonly exitCode: number;
  /** Standard output and error, in the order in which they came. */
  readonly output: string;
}

/** Runs `node <args>` at the top of the repository. `inherit` shows its output while it runs. */
export function runNode(
  args: readonly string[],
  options: { readonly inherit?: boolean; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: workspaceRoot,
      env: { ...process.env, ...options.env },
      stdio: options.inherit === true ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    const chunks: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    }
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ exitCode: code ?? 128, output: chunks.join('') });
    });
  });
}
