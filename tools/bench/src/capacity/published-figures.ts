import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace.js';
import type { PublishedFigures } from './estimate.js';

/** The paid calls at this many connections: with fewer, processes wait, and waiting costs processor time as well. */
const CONNECTIONS = '32';
/** The row of the measurement of settlement that is most like a call. */
const SETTLING = 'settlement and usage audit at the same time';

/** The figures that `npm run bench -- --stack` last published. @throws Error where the document has them no more */
export function publishedFigures(
  document = readFileSync(join(workspaceRoot, 'docs/performance.md'), 'utf8'),
): PublishedFigures {
  const cpu =
    rowOf(document, 'calls-stack', (cells) => cells[0] === CONNECTIONS && cells[1] === 'paid tool').at(-1) ?? '';
  const settling = rowOf(document, 'settlement-stack', ([what]) => what === SETTLING);
  const processes = Number(/^(\d+) processes of billing/m.exec(sectionOf(document, 'settlement-stack'))?.[1]);
  const settledPerSecond = numberOf(settling[1] ?? '') / processes;
  if (!(settledPerSecond > 0)) throw new Error('docs/performance.md does not tell how fast billing settles');
  return {
    cpuMicroseconds: Object.fromEntries(
      [...cpu.matchAll(/([A-Za-z][A-Za-z -]*) ([\d,]+)(?:,|$)/g)].map(([, name = '', value = '']) => [
        name.trim(),
        numberOf(value),
      ]),
    ),
    settledPerSecond,
  };
}

const numberOf = (text: string): number => Number(text.replaceAll(',', ''));

function sectionOf(document: string, name: string): string {
  const [, section] = new RegExp(`<!-- begin ${name} -->(.*)<!-- end ${name} -->`, 's').exec(document) ?? [];
  if (section === undefined) throw new Error(`docs/performance.md has no part ${name}: npm run bench -- --stack`);
  return section;
}

function rowOf(document: string, name: string, is: (cells: readonly string[]) => boolean): string[] {
  const rows = sectionOf(document, name)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const found = rows.find(is);
  if (found === undefined)
    throw new Error(`the part ${name} of docs/performance.md has not the row that capacity needs`);
  return found;
}
