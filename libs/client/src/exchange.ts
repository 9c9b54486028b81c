import { NoAnswerError, RefusedError, type RequestFacts, type RouterError } from './errors.js';
import type { Answered } from './methods.js';
import { checkedTimeoutMs, retryLimitsOf, type RequestSettings, type RetryLimits } from './options.js';
import { isKeyed, repeatable, retryAfterMsOf, waitBeforeNext, type Setback } from './retry-rules.js';
import { abortAfter, pause } from './time.js';

/** A request as whoever uses the client gives it. */
export interface Given extends RequestSettings {
  readonly idempotencyKey?: string;
  readonly params?: { readonly header?: Readonly<Record<string, unknown>> };
  readonly headers?: Readonly<Record<string, string>>;
  readonly parseAs?: string;
}

/** A method of openapi-fetch. Never rejects for a status. */
export type Transport = (
  path: string,
  init: object,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;

export interface Settings {
  readonly credential: () => string | undefined | Promise<string>;
  readonly makeIdempotencyKeys: boolean;
  readonly timeoutMs: number;
  readonly retry: RetryLimits;
}

export type Exchange = (method: string, send: Transport, path: string, given: Given) => Promise<Answered<unknown>>;

const KEY_HEADER = 'idempotency-key';

/** Sends a request until there is a success, or an answer that no repetition changes, or no more time. */
export function exchangeWith(settings: Settings): Exchange {
  return async (method, send, path, given) => {
    const { timeoutMs, retry, idempotencyKey: _key, signal, headers: more, ...request } = given;
    const headers = new Headers(more);
    const key = idempotencyKeyOf(settings, method, path, given, headers);
    if (key !== undefined) headers.set(KEY_HEADER, key);
    const limits = retryLimitsOf(settings.retry, retry);
    const attemptMs = timeoutMs === undefined ? settings.timeoutMs : checkedTimeoutMs(timeoutMs);
    const may = repeatable(method, path, key);
    const startedMs = performance.now();
    for (let attempts = 1; ; attempts += 1) {
      const facts: RequestFacts = { method, path, attempts, idempotencyKey: key };
      const credential = await settings.credential();
      if (credential !== undefined && credential !== '') headers.set('authorization', `Bearer ${credential}`);
      const ended = await attempt(send, path, { ...request, headers }, attemptMs, signal, facts);
      if ('answered' in ended) return key === undefined ? ended.answered : { ...ended.answered, idempotencyKey: key };
      const { error, setback } = ended;
      const elapsedMs = performance.now() - startedMs;
      const waitMs = setback && waitBeforeNext(setback, may, attempts, limits, elapsedMs, Math.random());
      if (waitMs === undefined) throw error;
      await pause(waitMs, signal);
    }
  };
}

type Attempted =
  | { readonly answered: Answered<unknown> }
  /** Without a setback there is nothing that another attempt could change. */
  | { readonly error: RouterError; readonly setback?: Setback };

/** One request and its whole answer. Rejects with the reason of the caller's signal, and for what is no fault of a connection. */
async function attempt(
  send: Transport,
  path: string,
  request: { readonly headers: Headers; readonly parseAs?: string },
  timeoutMs: number,
  signal: AbortSignal | undefined,
  facts: RequestFacts,
): Promise<Attempted> {
  signal?.throwIfAborted();
  const bound = abortAfter(timeoutMs, signal, request.parseAs === 'stream');
  try {
    const { data, error, response } = await send(path, { ...request, signal: bound.signal });
    if (response.ok) return { answered: { data, response } };
    const retryAfterMs = retryAfterMsOf(response.headers, Date.now());
    const setback = { status: response.status, retryAfterMs };
    return { error: new RefusedError(response, error, retryAfterMs, facts), setback };
  } catch (error) {
    signal?.throwIfAborted();
    if (bound.timedOut()) return { error: new NoAnswerError('timed_out', facts, error), setback: {} };
    if (error instanceof SyntaxError) return { error: new NoAnswerError('unusable', facts, error) };
    // `fetch` tells what broke in its cause; a TypeError without one is an argument that it does not take.
    if (error instanceof Error && error.cause !== undefined)
      return { error: new NoAnswerError('lost', facts, error), setback: {} };
    throw error;
  } finally {
    bound.end();
  }
}

function idempotencyKeyOf(
  { makeIdempotencyKeys }: Settings,
  method: string,
  path: string,
  { idempotencyKey, params }: Given,
  headers: Headers,
): string | undefined {
  if (!isKeyed(method, path)) return undefined;
  const named = Object.entries(params?.header ?? {}).find(([name]) => name.toLowerCase() === KEY_HEADER)?.[1];
  const given = idempotencyKey ?? (typeof named === 'string' ? named : undefined) ?? headers.get(KEY_HEADER);
  return given ?? (makeIdempotencyKeys ? crypto.randomUUID() : undefined);
}
