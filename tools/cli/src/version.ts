import { createRequire } from 'node:module';

/** The version of this program, which is released with the services. */
export const { version } = createRequire(import.meta.url)('../package.json') as { readonly version: string };
