import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace.js';

/** The requests of the acceptance suite, and the answers of both stacks to them. */
export interface RecordedExchange {
  readonly title: string;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** Its body, with placeholders; empty where there is none, and where the recording shows a part of it. */
  readonly request: string;
  readonly status: number;
  readonly contentType: string;
  /** With placeholders. */
  readonly body: string;
}

const folder = join(workspaceRoot, 'tests/acceptance/src/wire/answers');

export const recordedExchanges = (): RecordedExchange[] =>
  readdirSync(folder)
    .sort()
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split(/^== /m)
        .slice(1)
        .map((exchange) => exchangeOf(file, exchange)),
    );

function exchangeOf(file: string, exchange: string): RecordedExchange {
  const [title = '', ...lines] = exchange.split('\n');
  const head = lines.filter((line) => /^[<>] ?/.test(line)).join('\n');
  const [, method = '', target = ''] = /^> ([A-Z]+) (.+)$/m.exec(head) ?? [];
  return {
    title: `${file}: ${title}`,
    method,
    path: target.split('?', 1)[0] ?? '',
    request: requestOf(lines),
    status: Number(/^< (\d+)$/m.exec(head)?.[1]),
    contentType: /^< content-type: ([^;\n]+)/m.exec(head)?.[1] ?? '',
    body: lines.filter((line) => !/^[<>] ?/.test(line)).join('\n'),
  };
}

/** Behind the head of the request and whose it is; a long one ends in dots. */
function requestOf(lines: readonly string[]): string {
  const sent = lines.filter((line) => line.startsWith('>')).map((line) => line.slice(2));
  const begin = sent.findIndex((line) => line.startsWith('{') || /^[a-z_]+=/.test(line));
  const body = begin === -1 ? '' : sent.slice(begin).join('\n');
  return body.includes('…') ? '' : body;
}
