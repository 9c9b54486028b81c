/**
 * `npm run train:chinese`: places common Chinese words among the English word vectors that are shipped and writes
 * `libs/tool-search/data/chinese-vectors.bin`, the same bytes for the same text and the same English vectors.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodeVectorTable, loadEnglishVectors } from '@capability-router/tool-search';
import { askChineseTeacher } from './chinese/ask-chinese-teacher.js';
import { trainChinese } from './chinese/train-chinese.js';
import { readSources, refuseOptions } from './sources/read-sources.js';
import { trainingTexts } from './sources/training-texts.js';
import { seededRandom } from './model/random.js';
import { SEED } from './train.js';

const dataFile = fileURLToPath(new URL('../../../libs/tool-search/data/chinese-vectors.bin', import.meta.url));

refuseOptions();
const { operations, synsets } = await readSources();
const texts = trainingTexts(operations, synsets, seededRandom(SEED)).map(({ text }) => text);
const file = encodeVectorTable(await trainChinese(texts, loadEnglishVectors(), askChineseTeacher));
writeFileSync(dataFile, file);
console.log(`${file.length} bytes written`);
