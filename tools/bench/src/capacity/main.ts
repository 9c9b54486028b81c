/** `npm run capacity -- --calls-per-second 5000 --accounts 1000000 [--days 365]`: what a deployment of that size needs. */
import { parseArgs } from 'node:util';
import { readCallCost } from '../call-cost/call-cost-file.js';
import { assumptions } from './assumptions.js';
import { capacityReport } from './capacity-report.js';
import { readDemand } from './demand.js';
import { estimateFromFiles } from './estimate-from-files.js';

const usage = 'npm run capacity -- --calls-per-second 5000 --accounts 1000000 [--days 365]';

try {
  const { values } = parseArgs({
    options: { 'calls-per-second': { type: 'string' }, accounts: { type: 'string' }, days: { type: 'string' } },
  });
  const demand = readDemand(values);
  console.log(capacityReport(demand, estimateFromFiles(demand), readCallCost(), assumptions));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}`);
  process.exitCode = 2;
}
