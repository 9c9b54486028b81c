import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a program of operators ended. */
export interface ProgramRun {
  readonly code: number;
  /** The lines of its standard output, each of them JSON. */
  readonly lines: readonly Record<string, unknown>[];
  /** Its standard error. */
  readonly error: string;
}

/** Runs a built program as operators do, with these variables and no other but `PATH`. Rejects where a line is not JSON. */
export async function runProgram(
  program: URL,
  variables: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<ProgramRun> {
  const env = { PATH: process.env['PATH'], ...variables };
  const ended = await new Promise<{ readonly code: number; readonly output: string; readonly error: string }>(
    (resolve) => {
      execFile(process.execPath, [fileURLToPath(program), ...args], { env }, (failed, output, error) =>
        resolve({ code: Number(failed?.code ?? 0), output, error }),
      );
    },
  );
  const lines = ended.output.split('\n').filter((line) => line !== '');
  return {
    code: ended.code,
    lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    error: ended.error,
  };
}
