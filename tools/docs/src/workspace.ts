import { fileURLToPath } from 'node:url';

/** Top of the repository, from `tools/docs/dist`. */
export const workspaceRoot = fileURLToPath(new URL('../../..', import.meta.url));
