/** The text that a person reads when an answer is not the recorded one. */
import type { Exchange } from './transcript.js';

/** Lines of an exchange that are shown around a difference. */
const CONTEXT = 3;
/** Exchanges that are shown whole; of the others there is the title. */
const MOST_SHOWN = 8;

/** Empty where everything is as recorded. */
export function differences(recorded: readonly Exchange[], answered: readonly Exchange[]): string {
  const before = new Map(recorded.map((exchange) => [exchange.title, exchange]));
  const now = new Map(answered.map((exchange) => [exchange.title, exchange]));
  const titles = [...new Set([...before.keys(), ...now.keys()])];
  const told = titles
    .map((title) => {
      const { lines = [], lacks } = now.get(title) ?? {};
      return { title, lines: diffOf(without(lacks, before.get(title)?.lines ?? []), lines) };
    })
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }, index) => [`== ${title}`, ...(index < MOST_SHOWN ? lines : ['  …'])].join('\n'));
  const sameOrder = recorded.map(({ title }) => title).join('\n') === answered.map(({ title }) => title).join('\n');
  if (told.length === 0 && !sameOrder) return 'the requests have another order than recorded';
  return told.join('\n\n');
}

/** Whether there are differences, and all of them are in what is left of windows of requests. */
export function differInCountsOnly(recorded: readonly Exchange[], answered: readonly Exchange[]): boolean {
  if (differences(recorded, answered) === '') return false;
  return differences(recorded.map(withoutCounts), answered.map(withoutCounts)) === '';
}

const withoutCounts = (exchange: Exchange): Exchange => ({
  ...exchange,
  lines: exchange.lines.filter((line) => !/^< x-ratelimit-remaining: \d+$/.test(line)),
});

/** The recorded text without a member that an answer may leave out. Members that stand on lines of their own alone are left out. */
function without(member: string | undefined, lines: readonly string[]): readonly string[] {
  if (member === undefined) return lines;
  const isMember = (line = ''): boolean => line.trimStart().startsWith(`"${member}": `);
  const isLast = (line = ''): boolean => /^\s*[}\]]/.test(line);
  return lines.flatMap((line, index) => {
    if (isMember(line)) return [];
    const endsNow = isMember(lines[index + 1]) && isLast(lines[index + 2]);
    return [endsNow ? line.replace(/,$/, '') : line];
  });
}

/** `- ` before a recorded line that is not there any more, `+ ` before one that is new, two blanks before what is around. */
function diffOf(before: readonly string[], now: readonly string[]): string[] {
  if (before.join('\n') === now.join('\n')) return [];
  const marked = merge(before, now);
  const isNear = (index: number): boolean =>
    marked.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => !line.startsWith('  '));
  // The request itself is always shown.
  const shown = marked.map((line, index) => (isNear(index) || line.startsWith('  > ') ? line : undefined));
  return shown.flatMap((line, index) => (line !== undefined ? [line] : shown[index - 1] === undefined ? [] : ['  …']));
}

/** By the longest common subsequence. */
function merge(before: readonly string[], now: readonly string[]): string[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const row = lengths[i] ?? [];
    for (let j = now.length - 1; j >= 0; j -= 1) {
      row[j] = before[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < now.length) {
    if (i < before.length && j < now.length && before[i] === now[j]) {
      lines.push(`  ${before[i] ?? ''}`);
      [i, j] = [i + 1, j + 1];
    } else if (i < before.length && (j === now.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`- ${before[i] ?? ''}`);
      i += 1;
    } else {
      lines.push(`+ ${now[j] ?? ''}`);
      j += 1;
    }
  }
  return lines;
}
