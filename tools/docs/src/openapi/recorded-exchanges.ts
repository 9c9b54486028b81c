import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace.js';

/** The requests of the acceptance suite, and the answers of both stacks to them. */
export interface RecordedExchange {
  readonly title: string;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
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
    status: Number(/^< (\d+)$/m.exec(head)?.[1]),
    contentType: /^< content-type: ([^;\n]+)/m.exec(head)?.[1] ?? '',
    body: lines.filter((line) => !/^[<>] ?/.test(line)).join('\n'),
  };
}
