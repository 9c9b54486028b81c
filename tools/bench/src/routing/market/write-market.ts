import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { workspaceRoot } from '../../workspace.js';
import { marketPlot } from './market-plot.js';
import { marketSection } from './market-section.js';
import type { FailingResult, MarketResult } from './measure-market.js';

const PLOT = 'routing-market.svg';
const begin = '<!-- begin market -->';
const end = '<!-- end market -->';

/** Puts the figures into `docs/routing.md`, between its marks, and the plot beside it. They are the same on every machine. */
export async function writeMarket(result: MarketResult, failing: FailingResult): Promise<void> {
  const folder = join(workspaceRoot, 'docs');
  const file = join(folder, 'routing.md');
  const document = readFileSync(file, 'utf8');
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${file} has no marks for the market`);
  const text = `${document.slice(0, from)}${begin}\n\n${marketSection(result, failing, PLOT)}\n\n${document.slice(to)}`;
  writeFileSync(file, (await format(file, text, { printWidth: 120, singleQuote: true })).code);
  writeFileSync(join(folder, PLOT), marketPlot(result));
}
