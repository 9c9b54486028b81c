import { fileURLToPath } from 'node:url';

/** Top of the repository, from `tools/bench/dist`. */
export const workspaceRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** A program of this tool, by its path below `dist`. */
export const benchProgram = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
