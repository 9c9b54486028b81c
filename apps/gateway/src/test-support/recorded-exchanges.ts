import { readdirSync, readFileSync } from 'node:fs';

/** The recordings that acceptance compares with the answers of both stacks. */
const recordings = new URL('../../../../tests/acceptance/src/wire/answers/', import.meta.url);

export interface Exchange {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly status: number;
  /** The lines of the answer behind its head. */
  readonly body: string;
}

export function readExchanges(): Exchange[] {
  return readdirSync(recordings).flatMap((file) =>
    readFileSync(new URL(file, recordings), 'utf8')
      .split(/^== .*\n/m)
      .slice(1)
      .map(exchangeOf),
  );
}

function exchangeOf(text: string): Exchange {
  const [, method = '', target = ''] = /^> ([A-Z]+) (.+)$/m.exec(text) ?? [];
  const status = Number(/^< (\d+)$/m.exec(text)?.[1]);
  const body = text.split('\n').filter((line) => !/^[<>] ?/.test(line));
  return { method, path: target.split('?', 1)[0] ?? '', status, body: body.join('\n') };
}
