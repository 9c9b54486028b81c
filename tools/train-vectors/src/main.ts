/**
 * `npm run train:vectors [-- --measure]`: trains the word vectors of the tool search from licensed text and writes
 * `libs/tool-search/data/word-vectors.bin`, the same bytes for the same text. With `--measure` it writes nothing: it
 * tells what vectors and query weights change on sources that had no part in them.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodeVectorTable } from '@capability-router/tool-search';
import { measureLeavingOut } from './measure/leave-one-origin-out.js';
import { labelledFolder, readLabelledData } from './sources/labelled-queries.js';
import { openapiFolder, permissiveOperations } from './sources/openapi-operations.js';
import { wordnetSynsets } from './sources/wordnet.js';
import { trainVectors, withQueryWeights } from './train.js';

const dataFile = fileURLToPath(new URL('../../../libs/tool-search/data/word-vectors.bin', import.meta.url));

const options = new Set(process.argv.slice(2));
const unknown = [...options].filter((option) => option !== '--measure');
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}. Options: --measure`);
  process.exit(1);
}
const folder = labelledFolder(process.env);
const labelled = readLabelledData(folder);
if (labelled === undefined) {
  console.error(
    `no labelled queries in ${folder}: put tools.jsonl.gz and queries.jsonl.gz there, or name their folder in ` +
      'SEARCH_EVAL_DIR. Nothing was trained.',
  );
  process.exit(1);
}
const { operations, filesByLicence } = permissiveOperations(openapiFolder());
const files = [...filesByLicence].map(([licence, count]) => `${count} ${licence}`).join(', ');
console.log(`${operations.length} operations of API files: ${files}`);
const trained = trainVectors({ operations, synsets: wordnetSynsets(), labelled }, console.log);
if (options.has('--measure')) {
  for (const line of measureLeavingOut(trained, labelled)) console.log(line);
} else {
  const file = encodeVectorTable(withQueryWeights(trained, labelled, () => true).table);
  writeFileSync(dataFile, file);
  console.log(`${file.length} bytes written`);
}
