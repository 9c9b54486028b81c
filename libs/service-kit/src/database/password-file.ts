import pg from 'pg';
import { keptFile, readSettingFile } from '../config/setting-files.js';

/** In a URL of PostgreSQL, beside the parameters of libpq, which has none for a file with nothing but the password. */
const PARAMETER = 'password_file';

/** The password is in the file, and in the URL as well; or it is nowhere, since the file is of no use. */
export class WrongPasswordFile extends Error {}

/**
 * The class of client for a URL: with `?password_file=/path`, one that reads the password whenever it connects. A file that cannot be read
 * by then says what it said last.
 *
 * @throws WrongPasswordFile where the file is of no use now, or the URL has a password as well
 */
export function clientFor(url: string | undefined): typeof pg.Client {
  const path = passwordFileIn(url);
  if (path === undefined) return pg.Client;
  const read = keptFile(() => readPassword(path));
  // The client leaves a connection open on which its password cannot be had.
  read();
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // The constructor takes the password of the URL, which is empty. Its type leaves out that it may be a function.
      Object.assign(this, { password: read });
    }
  };
}

/** The password that a URL leads to now. */
export function passwordOf(url: string): string {
  const path = passwordFileIn(url);
  return path === undefined ? decodeURIComponent(new URL(url).password) : readPassword(path);
}

function passwordFileIn(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { password, searchParams } = new URL(url);
  const path = searchParams.get(PARAMETER) ?? undefined;
  if (path !== undefined && password !== '') {
    throw new WrongPasswordFile(`has a password and names a file of one by ${PARAMETER}: leave either out`);
  }
  return path;
}

function readPassword(path: string): string {
  try {
    return readSettingFile(path);
  } catch (cause) {
    throw new WrongPasswordFile(`names by ${PARAMETER} a file that is of no use: ${(cause as Error).message}`, {
      cause,
    });
  }
}
