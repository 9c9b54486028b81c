import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import wabt from 'wabt';
import { workspaceRoot } from './workspace.js';

/** The sources of WebAssembly, and what the module of each is called in the code. */
const sources = {
  'libs/tool-search/src/wasm/sign-differences': 'signDifferencesModule',
  'libs/tool-search/src/wasm/vector-rows': 'vectorRowsModule',
};

/** By file, how it is made. A module is a few hundred bytes: as text in the code, nothing that ships has to find a file. */
export const wasmModules: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries(
  Object.entries(sources).map(([source, name]) => [`${source}.wasm.ts`, () => compiled(`${source}.wat`, name)]),
);

/** A module, compiled. Throws where its source is no valid one. */
async function compiled(source: string, name: string): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat(source, readFileSync(join(workspaceRoot, source), 'utf8'));
  try {
    module.resolveNames();
    module.validate();
    const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64');
    const file = source.slice(source.lastIndexOf('/') + 1);
    return `/** ${file} as WebAssembly, in base64. Made by \`npm run docs\`. */\nexport const ${name} =\n  '${base64}';\n`;
  } finally {
    module.destroy();
  }
}
