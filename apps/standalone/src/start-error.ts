/** The reason why standalone cannot start, worded for the person who starts it: one sentence, the setting, a way out. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const otherHost = 'leave it unset for 127.0.0.1, or set it to 0.0.0.0 to listen on every address';

/** Why nothing can listen there; an error of another kind comes back as it is. */
export function explainListenError(
  error: NodeJS.ErrnoException,
  at: { readonly setting: 'PORT' | 'METRICS_PORT'; readonly host: string; readonly port: number },
): Error {
  const { setting, host, port } = at;
  const said = (sentence: string): StartError => new StartError(sentence, { cause: error });
  switch (error.code) {
    case 'EADDRINUSE':
      return said(`port ${port} is taken: set ${setting} to a free one, or leave it unset`);
    case 'EACCES':
      return said(`port ${port} is not open to this user: set ${setting} to one from 1024, or leave it unset`);
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return said(`HOST is ${host}, which is not an address of this machine: ${otherHost}`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'ENODATA':
      return said(`HOST is ${host}, a name that no address was found for: ${otherHost}`);
    default:
      return error;
  }
}

/** Why the data folder cannot be used; an error of another kind comes back as it is. */
export function explainFolderError(error: NodeJS.ErrnoException, folder: string): Error {
  const problem = folderProblems[error.code ?? ''];
  if (problem === undefined) return error;
  return new StartError(`DATA_DIR is ${folder}, which ${problem}, such as DATA_DIR=~/capability-router npm start`, {
    cause: error,
  });
}

const folderProblems: Readonly<Record<string, string | undefined>> = {
  EEXIST: 'is a file: set it to a folder',
  ENOTDIR: 'lies below a file: set it to a folder',
  ENOENT: 'cannot be created there: set it to a folder elsewhere',
  EACCES: 'this user may not write: change its owner, or set it to a folder of yours',
  EPERM: 'this user may not write: change its owner, or set it to a folder of yours',
  EROFS: 'is on a read-only file system: set it to a folder that can be written',
  ENOSPC: 'is on a full disk: free some space, or set it to a folder on another disk',
  EDQUOT: 'is over the quota of this user: free some space, or set it to a folder on another disk',
  ELOOP: 'is a symbolic link that leads to itself: set it to a folder',
  ENAMETOOLONG: 'is too long a name: set it to a shorter one',
};

/** A fault that an operator can mend becomes a sentence; anything else keeps its stack. */
export function messageFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isForPeople(error) ? error.message : (error.stack ?? error.message);
}

/** By name, as the classes come from parts that are loaded later or not at all. */
const isForPeople = ({ name }: Error): boolean =>
  ['StartError', 'ConfigError', 'EmbeddedPostgresError', 'SchemaMismatch'].includes(name);
