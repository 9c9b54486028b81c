import { judged, megabytes, table } from '../report/markdown.js';
import type { FreshClone, FreshCloneResult } from './measure-fresh-clone.js';

/** The bars of the design, in milliseconds. */
const MAX_TO_FIRST_CALL_MS = 60_000;
const MAX_FIRST_START_MS = 10_000;
const MAX_SECOND_START_MS = 4_000;

const seconds = (valueMs: number): string => (valueMs / 1_000).toFixed(1);

const rows: readonly (readonly [string, (of: FreshClone) => string])[] = [
  ['`git clone`, s', (of) => seconds(of.cloneMs)],
  ['`npm ci`, s', (of) => seconds(of.installMs)],
  ['`node_modules`, MB', (of) => megabytes(of.nodeModulesBytes)],
  ['first `npm start` to a paid call, s', (of) => seconds(of.firstStartMs)],
  ['`npm ci` and first start, s', (of) => seconds(of.toFirstCallMs)],
  ['second `npm start` to a paid call, s', (of) => seconds(of.secondStartMs)],
];

/** The last tree is the one that is judged; those before it are what it is compared with. */
export function freshCloneSection({ rounds, trees, load }: FreshCloneResult): string {
  const judgedTree = trees.at(-1);
  if (judgedTree === undefined) throw new Error('no tree was measured');
  const { toFirstCallMs, firstStartMs, secondStartMs } = judgedTree.median;
  return [
    `Each commit cloned into an empty folder and installed with npm's cache as it is (warm), then started twice; medians of ${rounds} rounds in which the commits take turns, at a load average from ${load.least.toFixed(1)} to ${load.most.toFixed(1)} (a round adds to it itself). The paid call is one with the demo key, tried every 20 ms.`,
    table(
      ['', ...trees.map(({ name }) => `\`${name}\``)],
      rows.map(([title, cell]) => [title, ...trees.map(({ median }) => cell(median))]),
    ),
    `Bars, for \`${judgedTree.name}\`: ${judged('a paid call at most 60 s after `npm ci` began', toFirstCallMs <= MAX_TO_FIRST_CALL_MS)}; ${judged('at most 10 s after the first `npm start`', firstStartMs <= MAX_FIRST_START_MS)}; ${judged('at most 4 s after the second', secondStartMs <= MAX_SECOND_START_MS)}.`,
  ].join('\n\n');
}
