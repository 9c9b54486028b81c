import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whole, workspaceRoot } from '@capability-router/tools-bench';
import { shippedOptions, ToolIndex } from '@capability-router/tool-search';
import { ablationTable } from '../quality/ablation.js';
import { toBaseline } from '../quality/baseline.js';
import {
  calibrate,
  cataloguesTable,
  leastFitsTable,
  MAX_CALIBRATION_ERROR,
  reliability,
} from '../calibration/run-calibration.js';
import { agreementOf } from './agreement.js';
import { documentsOf, readNeeds } from './needs-data.js';
import { judgeNeeds, risenFloor, type NeedsFloor } from './needs-floor.js';
import { sourcesTable, stylesTable } from './needs-tables.js';
import { answeredOf, asQueries, byHalf, scoreNeeds } from './score-needs.js';

const floorFile = join(workspaceRoot, 'tools/search-bench/needs-floor.json');

/**
 * The evaluation on the needs that ship with the repository: quality by half, style, language and source, and how many of the
 * needs that no tool serves get an answer. Answers the exit code. `--write-floor` raises the floor to what is measured,
 * `--ablation` only prints what each part of the ranking gains, `--calibrate` learns the weights of the probability anew.
 */
export function runNeeds(options: ReadonlySet<string>): 0 | 1 | 2 {
  const data = readNeeds();
  const documents = documentsOf(data.tools);
  if (options.has('--ablation')) {
    console.log(ablationTable(documents, asQueries(data)));
    return 0;
  }
  if (options.has('--calibrate')) {
    calibrate(data);
    console.log(`\n${leastFitsTable(data)}\n\n${cataloguesTable(data)}`);
    return 0;
  }
  const index = new ToolIndex(documents, shippedOptions());
  const scored = scoreNeeds(data, index);
  const answered = answeredOf(data, index);
  const trusted = reliability(data, index);
  const { judged, kappa, positive } = agreementOf(data.judgements);
  console.log(
    [
      `${whole(data.needs.length)} needs in two languages, ${whole(data.tools.length)} tools of ${data.sources.length} sources; ` +
        `two readings of ${whole(judged)} candidates: Cohen's kappa ${kappa.toFixed(3)}, positive agreement ${positive.toFixed(3)}`,
      stylesTable(scored),
      sourcesTable(scored),
      `Of ${whole(data.unserved.length)} needs that no tool serves, ${answered.en} get an answer in English and ${answered.zh} in Chinese.`,
      trusted.table,
      `Expected calibration error on the half to report on: ${trusted.error.toFixed(3)}`,
    ].join('\n\n'),
  );
  const pools = byHalf(scored);
  const committed = existsSync(floorFile) ? (JSON.parse(readFileSync(floorFile, 'utf8')) as NeedsFloor) : undefined;
  if (options.has('--write-floor')) {
    const floor = risenFloor(committed, { ...toBaseline(data.fingerprint, pools), answered });
    writeFileSync(floorFile, `${JSON.stringify(floor, undefined, 2)}\n`);
    console.log('\nthe floor is written; of each figure the better one');
    return 0;
  }
  const { exitCode, lines } = judgeNeeds(committed, data.fingerprint, pools, answered);
  const tooFar = trusted.error > MAX_CALIBRATION_ERROR;
  const miscalibrated = `FAILED: the calibration error is ${trusted.error.toFixed(3)}, it may be ${MAX_CALIBRATION_ERROR}`;
  console.log(`\n${[...lines, ...(tooFar ? [miscalibrated] : [])].join('\n')}`);
  return tooFar ? 1 : exitCode;
}
