import type { Readable } from 'node:stream';

/** The parts of the running process that a command is given. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Writes a line of the result. */
  readonly out: (line: string) => void;
  /** Writes a line for people. */
  readonly error: (line: string) => void;
  /** The terminal where lines for people go, if somebody looks at one; absent in a pipe, a file or a log. */
  readonly screen?: NodeJS.WriteStream;
  /** Whether lines of the result are shown on that screen, too. */
  readonly outIsScreen?: boolean;
  /** Aborted by Ctrl-C; absent where nobody can press it. */
  readonly interrupted?: AbortSignal;
}

/** The end of a command. */
export const exitCodes = {
  done: 0,
  /** The gateway refused, or what was asked for could not be done whole. */
  failed: 1,
  /** The command line, the environment or what was read is at fault; nothing was sent. */
  usage: 2,
  /** The gateway, a database or a broker was not reached, or its answer was not usable; what was sent may have been done. */
  unreachable: 3,
  /** Ctrl-C, as a shell has it: 128 and the number of the signal. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a message. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly hints: readonly string[] = [],
    /** The gateway's answer, where there was one. */
    readonly answer?: object,
  ) {
    super(message);
  }
}
