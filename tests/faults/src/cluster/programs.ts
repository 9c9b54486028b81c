import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram, OperatorError } from '@capability-router/tools-stack';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** The path of a program of the cluster. @throws OperatorError that says where it comes from */
export function programOf(name: string): string {
  const found = findProgram(name);
  if (found !== undefined) return found;
  throw new OperatorError(
    `${name} is not installed. install_cluster_tools of .ci/tools.sh installs what a cluster of one node is made of`,
  );
}

/** Runs a program to its end. @throws Error with what it has said, where it fails or takes longer */
export async function output(
  program: string,
  args: readonly string[],
  { input = '', timeoutMs = 60_000, env = process.env, cwd = '/' } = {},
): Promise<Output> {
  const running = promisify(execFile)(program, args, { cwd, env, timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES });
  running.child.stdin?.on('error', () => undefined).end(input);
  try {
    return await running;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as Partial<Output>;
    throw new Error(`${program} ${args.join(' ')} failed:\n${stderr}${stdout}`, { cause: error });
  }
}
