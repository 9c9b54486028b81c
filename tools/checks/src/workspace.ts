import { fileURLToPath } from 'node:url';

/** The repository's top folder, seen from `tools/checks/dist`. */
export const workspaceRoot = fileURLToPath(new URL('../../..', import.meta.url));
