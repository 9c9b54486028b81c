/**
 * Recorded answers, as acceptance writes and compares them: behind the line of its title, each exchange has lines of the request (`>`), of
 * the head of the answer (`<`), those of the body, and a blank one.
 */
const TITLE = '== ';

export interface RecordedLines {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The exchanges of one recording, in their order. */
export function readRecording(text: string): RecordedLines[] {
  const exchanges: { title: string; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith(TITLE)) exchanges.push({ title: line.slice(TITLE.length), lines: [] });
    else exchanges.at(-1)?.lines.push(line);
  }
  return exchanges.map(({ title, lines }) => ({ title, lines: lines.slice(0, -1) }));
}

export const printRecording = (exchanges: readonly RecordedLines[]): string =>
  exchanges.map(({ title, lines }) => `${[`${TITLE}${title}`, ...lines].join('\n')}\n`).join('\n');

/** A request, and the answer to it. */
export interface RecordedExchange {
  readonly title: string;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** Its body, with placeholders; empty where there is none, and where the recording shows a part of it. */
  readonly request: string;
  readonly status: number;
  /** That of the answer, without its parameters; empty where there is none. */
  readonly contentType: string;
  /** With placeholders. */
  readonly body: string;
}

const isHead = (line: string): boolean => /^[<>] ?/.test(line);

export function exchangeOf({ title, lines }: RecordedLines): RecordedExchange {
  const head = lines.filter(isHead).join('\n');
  const [, method = '', target = ''] = /^> ([A-Z]+) (.+)$/m.exec(head) ?? [];
  return {
    title,
    method,
    path: target.split('?', 1)[0] ?? '',
    request: requestOf(lines),
    status: Number(/^< (\d+)$/m.exec(head)?.[1]),
    contentType: /^< content-type: ([^;\n]+)/m.exec(head)?.[1] ?? '',
    body: lines.filter((line) => !isHead(line)).join('\n'),
  };
}

/** Behind the head of the request and whose it is; a long one ends in dots. */
function requestOf(lines: readonly string[]): string {
  const sent = lines.filter((line) => line.startsWith('>')).map((line) => line.slice(2));
  const begin = sent.findIndex((line) => line.startsWith('{') || /^[a-z_]+=/.test(line));
  const body = begin === -1 ? '' : sent.slice(begin).join('\n');
  return body.includes('…') ? '' : body;
}
