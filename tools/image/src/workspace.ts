import { fileURLToPath } from 'node:url';

/** The top of the repository. Holds for `src` and for `dist`. */
export const workspaceRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
