import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The file that `caprouter login` keeps is for its user alone: an account's key is no other's business. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface SavedLogin {
  /** The gateway's address without the path of an API. */
  readonly gateway: string;
  readonly apiKey: string;
}

/** `undefined` where the environment names no folder of the user. */
export function savedLoginPath(env: NodeJS.ProcessEnv): string | undefined {
  const home = env['HOME'] ?? env['USERPROFILE'];
  const folder = env['XDG_CONFIG_HOME'] ?? (home === undefined ? undefined : join(home, '.config'));
  return folder === undefined ? undefined : join(folder, 'caprouter', 'login.json');
}

/** `undefined` where nobody has logged in; a file that cannot be read counts as none. */
export function readSavedLogin(env: NodeJS.ProcessEnv): SavedLogin | undefined {
  const path = savedLoginPath(env);
  if (path === undefined) return undefined;
  try {
    const { gateway, api_key: apiKey } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    return typeof gateway === 'string' && typeof apiKey === 'string' ? { gateway, apiKey } : undefined;
  } catch {
    return undefined;
  }
}

/** The file is there whole or not at all. */
export function saveLogin(path: string, { gateway, apiKey }: SavedLogin): void {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify({ gateway, api_key: apiKey }, null, 2)}\n`, { mode: FILE_MODE });
  chmodSync(unfinished, FILE_MODE);
  renameSync(unfinished, path);
}

/** Says whether there was one. */
export function forgetLogin(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}
