import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readCallCost } from '../call-cost/call-cost-file.js';
import { workspaceRoot } from '../workspace.js';
import { assumptions } from './assumptions.js';
import { capacityReport } from './capacity-report.js';
import { readDemand } from './demand.js';
import { estimateFromFiles } from './estimate-from-files.js';

/** A text without how wide its columns are. */
const words = (text: string): string => text.replaceAll(/-+:?/g, '-').replaceAll(/\s+/g, ' ').trim();

describe('docs/capacity.md', () => {
  it('shows what the program prints of the figures that are checked in', () => {
    const demand = readDemand({ 'calls-per-second': '5000', accounts: '1000000' });
    const printed = capacityReport(demand, estimateFromFiles(demand), readCallCost(), assumptions);
    const document = readFileSync(join(workspaceRoot, 'docs/capacity.md'), 'utf8');
    const [, shown = ''] = /<!-- begin estimate -->([\s\S]*)<!-- end estimate -->/.exec(document) ?? [];
    expect(words(shown)).toBe(words(printed));
  });
});
