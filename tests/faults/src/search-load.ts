import type { LoadAccount } from './load.js';

const SEARCH_TIMEOUT_MS = 60_000;
/** A search that finds tools, one that finds none and so costs nothing, and a request that is free in any case. */
const requests = [
  { path: '/api/v1/search', body: { query: 'calculate the distance between two cities' } },
  { path: '/api/v1/search', body: { query: 'public holidays of a country', view: 'routing' } },
  { path: '/api/v1/search', body: { query: 'qzxvwkj vqxzzk' } },
  { path: '/api/v1/tools/by-ids', body: { tool_ids: ['formula.expression.evaluate.v1'] } },
] as const;

export interface SearchOutcome {
  readonly kind: 'search' | 'inspect';
  /** Absent where the connection broke. */
  readonly status?: number;
  /** The id of an answered search. */
  readonly searchId?: string;
  /** Tools found. */
  readonly total?: number;
}

/** Discover and Inspect in turn. */
export async function searchOnce(origin: string, account: LoadAccount, turn: number): Promise<SearchOutcome> {
  const request = requests[turn % requests.length] ?? requests[0];
  const kind = request.path.endsWith('/search') ? 'search' : 'inspect';
  try {
    const answer = await fetch(`${origin}${request.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(request.body),
      signal: AbortSignal.timeout(SEARCH_TIMEOUT_MS),
    });
    const body = (await answer.json()) as { search_id?: string; total?: number };
    return {
      kind,
      status: answer.status,
      ...(kind === 'search' && body.search_id !== undefined ? { searchId: body.search_id } : {}),
      ...(body.total === undefined ? {} : { total: body.total }),
    };
  } catch {
    return { kind };
  }
}
