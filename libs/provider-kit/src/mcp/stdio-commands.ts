/** How an operator has a stdio server started. Never part of a request, a manifest or the catalogue. */
export interface StdioCommand {
  readonly command: string;
  readonly args?: readonly string[];
  /** Beside PATH, HOME, USER, LOGNAME, SHELL and TERM, which are passed on; nothing else of the service's is. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export type StdioCommands = Readonly<Record<string, StdioCommand>>;

/** Reads `{"name": {"command": "…", "args": ["…"], "env": {…}, "cwd": "…"}}`. Throws an error that names what is wrong. */
export function parseStdioCommands(json: string): StdioCommands {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new Error('must be JSON');
  }
  if (!isRecord(parsed)) throw new Error('must be a JSON object of commands by name');
  for (const [name, command] of Object.entries(parsed)) {
    const problem = problemOf(command);
    if (problem !== undefined) throw new Error(`"${name}" ${problem}`);
  }
  return parsed as StdioCommands;
}

const known = new Set(['command', 'args', 'env', 'cwd']);

function problemOf(command: unknown): string | undefined {
  if (!isRecord(command)) return 'must be an object with "command"';
  const unknown = Object.keys(command).find((key) => !known.has(key));
  if (unknown !== undefined) return `has an unknown member "${unknown}"`;
  const { command: file, args, env, cwd } = command;
  if (typeof file !== 'string' || file === '') return 'needs "command", the file to run';
  if (args !== undefined && !(Array.isArray(args) && args.every(isText)))
    return 'has "args" that are not a list of texts';
  if (env !== undefined && !(isRecord(env) && Object.values(env).every(isText)))
    return 'has "env" that is not texts by name';
  return cwd === undefined || typeof cwd === 'string' ? undefined : 'has a "cwd" that is no text';
}

const isText = (value: unknown): boolean => typeof value === 'string';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
