/** The recordings in `answers/`, one file a slice: each request behind its title, then its answer. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Exchange } from './transcript.js';

const TITLE = '== ';

export const fileOf = (slice: string): string =>
  fileURLToPath(new URL(`../../src/wire/answers/${slice}.txt`, import.meta.url));

export function readRecording(slice: string): Exchange[] {
  const file = fileOf(slice);
  if (!existsSync(file)) return [];
  const exchanges: { title: string; lines: string[] }[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith(TITLE)) exchanges.push({ title: line.slice(TITLE.length), lines: [] });
    else exchanges.at(-1)?.lines.push(line);
  }
  // A blank line ends each exchange.
  return exchanges.map(({ title, lines }) => ({ title, lines: lines.slice(0, -1) }));
}

export function writeRecording(slice: string, exchanges: readonly Exchange[]): void {
  const file = fileOf(slice);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, exchanges.map(({ title, lines }) => `${[`${TITLE}${title}`, ...lines].join('\n')}\n`).join('\n'));
}
