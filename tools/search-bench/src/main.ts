/**
 * `npm run bench:search -- --model=<folder>` shows what a model adds, see `needs/run-model.ts`. `npm run bench:search [-- --write-floor] [--ablation] [--calibrate]`: scores the search engine on the needs that ship with the repository
 * (`data/capability-needs`) and judges it against their floor. `-- --eval-data` takes the labelled queries of
 * `SEARCH_EVAL_DIR` instead, see `run-eval-data.ts`. Exit code 1 when the ranking fell, 2 when the data are not those of the
 * floor.
 */
import { runModel } from './needs/run-model.js';
import { runNeeds } from './needs/run-needs.js';
import { runEvalData } from './run-eval-data.js';

const EVAL_DATA = '--eval-data';
const MODEL = '--model=';
const ofNeeds = ['--write-floor', '--ablation', '--calibrate'];
const ofEvalData = [EVAL_DATA, '--write-baseline', '--no-report', '--small-pools', '--ablation', '--feedback'];

const options = new Set(process.argv.slice(2));
const known = options.has(EVAL_DATA) ? ofEvalData : ofNeeds;
const model = [...options].find((option) => option.startsWith(MODEL));
const unknown = [...options].filter((option) => option !== model && !known.includes(option));
if (unknown.length > 0) {
  console.error(
    `unknown here: ${unknown.join(', ')}. Options: ${ofNeeds.join(', ')}, ${MODEL}<folder>; or ${EVAL_DATA} for the labelled queries of ` +
      `SEARCH_EVAL_DIR, with ${ofEvalData.slice(1).join(', ')}`,
  );
  process.exitCode = 1;
} else if (model !== undefined) {
  process.exitCode = await runModel(model.slice(MODEL.length));
} else {
  process.exitCode = options.has(EVAL_DATA) ? await runEvalData(options) : runNeeds(options);
}
