import type { RetryLimits } from './options.js';

/** Requests that are made once however often they are sent, when they have an idempotency key. */
const KEYED = ['/tools/execute', '/capabilities/query'] as const;
export type KeyedPath = (typeof KEYED)[number];

export const isKeyed = (method: string, path: string): path is KeyedPath =>
  method === 'POST' && (KEYED as readonly string[]).includes(path);

/** Questions that are sent by POST, change nothing and cost nothing. A search is none of them: it may be billed. */
const READS_BY_POST: ReadonlySet<string> = new Set([
  '/tools/by-ids',
  '/tools/probe',
  '/auth/verify-token',
  '/oauth/introspect',
]);
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/** `always`: doing it twice is doing it once. `where_refused`: only after the router has said that it did not begin. */
export type Repeatable = 'always' | 'where_refused' | 'never';

export function repeatable(method: string, path: string, idempotencyKey: string | undefined): Repeatable {
  if (isKeyed(method, path)) return idempotencyKey === undefined ? 'never' : 'always';
  return IDEMPOTENT_METHODS.has(method) || READS_BY_POST.has(path) ? 'always' : 'where_refused';
}

/** The end of an attempt that was no success. */
export interface Setback {
  /** Without one there was no answer. */
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
}

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;
/** Clients that were refused together do not come again together. */
const SPREAD_MS = 250;

/**
 * Milliseconds to wait before attempt `attempts` + 1; undefined where there is none. `random` is from 0 to 1, `elapsedMs` counts from the first
 * attempt.
 */
export function waitBeforeNext(
  setback: Setback,
  may: Repeatable,
  attempts: number,
  limits: RetryLimits,
  elapsedMs: number,
  random: number,
): number | undefined {
  if (may === 'never' || attempts > limits.maxRetries) return undefined;
  const waitMs = wantedWait(setback, may, attempts, random);
  if (waitMs === undefined) return undefined;
  // A wait that the router asks for is kept to, or there is no other attempt; a wait of our own is shortened.
  if ((setback.retryAfterMs ?? 0) > limits.maxWaitMs) return undefined;
  const boundedMs = Math.max(setback.retryAfterMs ?? 0, Math.min(waitMs, limits.maxWaitMs));
  return elapsedMs + boundedMs > limits.maxTotalMs ? undefined : boundedMs;
}

function wantedWait(
  { status, retryAfterMs }: Setback,
  may: Repeatable,
  attempts: number,
  random: number,
): number | undefined {
  const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1)) * (0.5 + random / 2);
  switch (status) {
    case undefined:
      return may === 'always' ? backoffMs : undefined;
    case 429:
    case 503:
      if (retryAfterMs !== undefined) return retryAfterMs + random * SPREAD_MS;
      // Something before the router may say so without knowing what became of the request.
      return may === 'always' ? backoffMs : undefined;
    case 409:
      // With `Retry-After` it is a call that still runs, which only one with a key is told; any other conflict stays one.
      return may === 'always' && retryAfterMs !== undefined ? Math.max(retryAfterMs, backoffMs) : undefined;
    default:
      return undefined;
  }
}

/** Milliseconds of `Retry-After`, in seconds or as a date; undefined where there is none. */
export function retryAfterMsOf(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const dateMs = /^[A-Z][a-z]{2}, \d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
