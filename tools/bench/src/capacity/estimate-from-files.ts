import { topics } from '@capability-router/contracts';
import { readCallCost } from '../call-cost/call-cost-file.js';
import { assumptions } from './assumptions.js';
import { estimate, type Demand, type Estimate } from './estimate.js';
import { publishedFigures } from './published-figures.js';

const MS_PER_DAY = 86_400_000;

/** The estimate from what was last measured and from the table of topics. */
export const estimateFromFiles = (demand: Demand): Estimate =>
  estimate(
    demand,
    readCallCost(),
    publishedFigures(),
    topics.map(({ name, partitions, retentionMs, cleanupPolicy }) => ({
      name,
      partitions,
      retentionDays: retentionMs === -1 ? undefined : retentionMs / MS_PER_DAY,
      compacted: cleanupPolicy === 'compact',
    })),
    assumptions,
  );
