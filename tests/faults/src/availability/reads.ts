import { Load, type LoadAccount } from '../load.js';

/** Milliseconds between two reads of a client. */
const READER_PAUSE_MS = 100;
const READ_TIMEOUT_MS = 60_000;

/** A request that runs no tool. */
export interface Read {
  readonly path: string;
  /** A POST where there is one, else a GET. */
  readonly body?: unknown;
}

export interface ReadOutcome {
  readonly path: string;
  /** Absent where the connection broke. */
  readonly status?: number;
  /** The header: seconds, where there is one. */
  readonly retryAfter?: string;
}

export const search: Read = {
  path: '/api/v1/search',
  body: { query: 'calculate the distance between two cities' },
};
export const inspect: Read = {
  path: '/api/v1/tools/by-ids',
  body: { tool_ids: ['formula.expression.evaluate.v1'] },
};
export const credits: Read = { path: '/api/v1/auth/credits' };
export const capabilities: Read = { path: '/api/v1/capabilities' };

/** Never rejects. */
export async function readOnce(origin: string, { key }: LoadAccount, { path, body }: Read): Promise<ReadOutcome> {
  try {
    const answer = await fetch(`${origin}${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(READ_TIMEOUT_MS),
    });
    await answer.arrayBuffer();
    const retryAfter = answer.headers.get('retry-after');
    return { path, status: answer.status, ...(retryAfter === null ? {} : { retryAfter }) };
  } catch {
    return { path };
  }
}

/** Clients that ask each gateway for each of the reads in turn; `choose` may send one elsewhere. */
export function readersOf(
  origins: readonly string[],
  accounts: readonly LoadAccount[],
  reads: readonly Read[],
  choose: (origin: string, turn: number) => string = (origin) => origin,
): Load<ReadOutcome> {
  return new Load(origins, accounts, READER_PAUSE_MS, (origin, account, turn) => {
    const read = reads[Math.floor(turn / origins.length) % reads.length];
    if (read === undefined) throw new Error('nothing to read');
    return readOnce(choose(origin, turn), account, read);
  });
}

/** Which reads were not served, how often, and that there were any; empty where all is well. */
export function unservedReads(reads: readonly Read[], outcomes: readonly ReadOutcome[]): string[] {
  const unread = reads.filter(({ path }) => !outcomes.some((outcome) => outcome.path === path));
  const counts = new Map<string, number>();
  for (const { path, status = 'broken' } of outcomes) {
    const how = `${path} was answered ${status}`;
    if (status !== 200) counts.set(how, (counts.get(how) ?? 0) + 1);
  }
  return [
    ...unread.map(({ path }) => `${path} was not asked`),
    ...[...counts].map(([how, count]) => `${how}, ${count} times`),
  ];
}
