import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import wabt from 'wabt';
import { workspaceRoot } from './workspace.js';

const source = 'libs/tool-search/src/ranking/sign-differences.wat';

/** The module is a few hundred bytes: as text in the code, nothing that ships has to find a file. */
export const signDifferencesFile = 'libs/tool-search/src/ranking/sign-differences.wasm.ts';

/** The module of `sign-differences.wat`, compiled. Throws where it is no valid one. */
export async function signDifferences(): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat(source, readFileSync(join(workspaceRoot, source), 'utf8'));
  try {
    module.resolveNames();
    module.validate();
    const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64');
    return `/** sign-differences.wat as WebAssembly, in base64. Made by \`npm run docs\`. */\nexport const signDifferencesModule =\n  '${base64}';\n`;
  } finally {
    module.destroy();
  }
}
