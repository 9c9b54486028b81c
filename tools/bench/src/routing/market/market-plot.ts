import type { MarketResult } from './measure-market.js';
import { PARTS, REQUESTS } from './simulate-market.js';
import type { StrategyName } from './strategies.js';

const size = { width: 760, height: 360, left: 56, right: 190, top: 16, bottom: 44 } as const;
const shown: readonly (readonly [StrategyName, string])[] = [
  ['fixed order', '#9a6700'],
  ['round robin', '#8250df'],
  ['router', '#1a7f37'],
  ['cheapest first', '#57606a'],
  ['router, prefer price', '#0969da'],
  ['oracle', '#cf222e'],
];
const TICKS = 5;
/** Pixels between two lines of the legend. */
const LEGEND_LINE = 20;

/** SVG: the mean cost of a request against the requests of a market so far. */
export function marketPlot(result: MarketResult): string {
  const { width, height, left, right, top, bottom } = size;
  const highest = Math.max(...shown.flatMap(([name]) => result.get(name)?.parts ?? []));
  const x = (part: number): number => left + (part / (PARTS - 1)) * (width - left - right);
  const y = (cost: number): number => height - bottom - (cost / highest) * (height - top - bottom);
  const at = (value: number): string => value.toFixed(1);
  const grid = Array.from({ length: TICKS + 1 }, (_, tick) => {
    const cost = (highest * tick) / TICKS;
    const line = `<line x1="${left}" y1="${at(y(cost))}" x2="${width - right}" y2="${at(y(cost))}" stroke="#d0d7de"/>`;
    return `${line}<text x="${left - 8}" y="${at(y(cost) + 4)}" text-anchor="end">${cost.toFixed(2)}</text>`;
  });
  const lines = shown.map(([name, colour], index) => {
    const points = (result.get(name)?.parts ?? []).map((cost, part) => `${at(x(part))},${at(y(cost))}`).join(' ');
    const legend = top + 12 + index * LEGEND_LINE;
    return [
      `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      `<rect x="${width - right + 16}" y="${legend - 9}" width="12" height="4" fill="${colour}"/>`,
      `<text x="${width - right + 36}" y="${legend - 2}">${name}</text>`,
    ].join('');
  });
  const middle = at(left + (width - left - right) / 2);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    ...grid,
    ...lines,
    `<text x="${middle}" y="${height - 10}" text-anchor="middle">requests, 0 to ${REQUESTS}; credits a request</text>`,
    '</svg>',
    '',
  ].join('\n');
}
