import { fileURLToPath } from 'node:url';

/** The top of the repository. */
export const workspaceRoot = fileURLToPath(new URL('../../../..', import.meta.url));
