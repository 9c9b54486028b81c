/**
 * `npm run train:vectors`: trains the word vectors of the tool search from licensed text and writes
 * `libs/tool-search/data/word-vectors.bin`, the same bytes for the same text.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodeVectorTable } from '@capability-router/tool-search';
import { readSources, refuseOptions } from './sources/read-sources.js';
import { askTeacher } from './teacher/ask-teacher.js';
import { trainVectors } from './train.js';

const dataFile = fileURLToPath(new URL('../../../libs/tool-search/data/word-vectors.bin', import.meta.url));

refuseOptions();
const { filesByLicence, ...sources } = await readSources();
const files = [...filesByLicence].map(([licence, count]) => `${count} ${licence}`).join(', ');
console.log(`${sources.operations.length} operations of API files: ${files}`);
const file = encodeVectorTable(await trainVectors(sources, askTeacher, console.log));
writeFileSync(dataFile, file);
console.log(`${file.length} bytes written`);
