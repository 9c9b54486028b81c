import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { explainFolderError } from './start-error.js';

/** The real path of the data folder, which is created where it is missing. Throws `StartError` where it cannot be used. */
export function prepareDataFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(folder);
  } catch (error) {
    throw error instanceof Error ? explainFolderError(error, folder) : error;
  }
}

/** A fault of a file in the data folder, such as one of another user, is reported of the folder. */
export function explainWithin(dataDir: string, folder: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { path }: NodeJS.ErrnoException = error;
  const isWithin = path !== undefined && (path === dataDir || path.startsWith(dataDir + sep));
  return isWithin ? explainFolderError(error, folder) : error;
}
