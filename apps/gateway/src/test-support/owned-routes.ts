import { readFileSync } from 'node:fs';

/** Acceptance asks for these with the ids of another account, on both stacks. */
export const owned = JSON.parse(
  readFileSync(new URL('../../../../tests/acceptance/src/owned-routes.json', import.meta.url), 'utf8'),
) as readonly { readonly method: string; readonly path: string }[];
