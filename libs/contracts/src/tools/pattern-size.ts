/**
 * Characters that the patterns of a tool's schema may have when their repetitions are written out, which is what compiling
 * them does: a thousand take some milliseconds, and a pattern of 500 characters can have a hundred thousand.
 */
export const MAX_PATTERN_SIZE = 10_000;

/** The size of a property of characters (`\p{…}`), which is compiled to a table. */
const PROPERTY_SIZE = 5;

const token =
  /\\[pP](?:\{[^}]*\})?|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|[:]|<[^>]*>|[a-z-]*:)|[()|]|\{(\d+)(,(\d*))?\}|[\s\S]/gu;

/** Characters and classes of a pattern, each as often as it is repeated; an estimate that is rather too high. */
export function patternSize(pattern: string): number {
  const open: { size: number; last: number }[] = [];
  let group = { size: 0, last: 0 };
  const add = (size: number): void => {
    group.size += size;
    group.last = size;
  };
  for (const [text, least, range, most] of pattern.matchAll(token)) {
    if (text.startsWith('(')) {
      open.push(group);
      group = { size: 0, last: 0 };
    } else if (text === ')') {
      const inner = group.size + 1;
      group = open.pop() ?? group;
      add(inner);
    } else if (least !== undefined) {
      const times = Math.max(
        1,
        Number(least),
        range === undefined ? 0 : Number(most === '' ? Number(least) + 1 : most),
      );
      group.size += group.last * (times - 1);
      group.last *= times;
    } else {
      add(/^\\[pP]/.test(text) || (text.startsWith('[') && /\\[pP]/.test(text)) ? PROPERTY_SIZE : 1);
    }
  }
  return open.reduce((sum, { size }) => sum + size, group.size);
}
