import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A fault that the person at the terminal can mend; the message says how. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The path of a program in one of the folders or on PATH. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const path = (process.env['PATH'] ?? '').split(delimiter);
  return [...folders, ...path, '/usr/sbin'].map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** The first of the named users that the system has. */
export function findUser(...names: string[]): SystemUser | undefined {
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of names) {
    const [, , uid, gid] = entries.find((fields) => fields[0] === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}
