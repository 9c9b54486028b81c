/** How often, and how long, a request is repeated. */
export interface RetryLimits {
  /** Attempts after the first one. */
  readonly maxRetries: number;
  /** Milliseconds of one wait at most; whoever is told to wait longer gets the refusal. */
  readonly maxWaitMs: number;
  /** Milliseconds from the first attempt after which no other one begins. */
  readonly maxTotalMs: number;
}

export interface ClientOptions {
  /** The address of a deployment, with or without `/api/v1`. */
  readonly baseUrl: string;
  /** An API key, an access token, or what gives the one of the moment; nothing for requests that need none. */
  readonly apiKey?: string | (() => string | Promise<string>);
  /**
   * Whether a Call and a query of a capability get an idempotency key where none is given. Without a key neither is ever sent twice. True
   * where nothing is said.
   */
  readonly makeIdempotencyKeys?: boolean;
  /** Milliseconds of one attempt. */
  readonly timeoutMs?: number;
  /** `false`: every request is sent once. */
  readonly retry?: Partial<RetryLimits> | false;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends each attempt; `fetch` of the platform where nothing is said. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Settings of one request, beyond the parameters, body and headers that the interface describes. */
export interface RequestSettings {
  /** Ends the request, its repetitions and their waits; whoever waits gets the signal's reason. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly retry?: Partial<RetryLimits> | false;
}

/** The gateway gives its services no longer than this, and a tool at most 100 s. */
export const DEFAULT_TIMEOUT_MS = 110_000;

export const DEFAULT_RETRY: RetryLimits = { maxRetries: 8, maxWaitMs: 30_000, maxTotalMs: 120_000 };

/** The largest delay that a timer takes. */
const MAX_MS = 2 ** 31 - 1;
const BASE_PATH = '/api/v1';

/** @throws TypeError where it is no address of HTTP */
export function baseUrlOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new TypeError(`baseUrl is no address of HTTP: give one like https://tools.example.com/api/v1, not "${text}"`);
  }
  const { origin, pathname } = new URL(text);
  const path = pathname.replace(/\/+$/, '');
  return `${origin}${path.endsWith(BASE_PATH) ? path : `${path}${BASE_PATH}`}`;
}

/** @throws RangeError for what is no such number */
export function checkedTimeoutMs(timeoutMs: number): number {
  return checked('timeoutMs', timeoutMs, 1);
}

/** @throws RangeError for what is no such number */
export function retryLimitsOf(base: RetryLimits, own: Partial<RetryLimits> | false | undefined): RetryLimits {
  if (own === undefined) return base;
  if (own === false) return { ...base, maxRetries: 0 };
  const limits = { ...base, ...own };
  checked('retry.maxRetries', limits.maxRetries, 0);
  checked('retry.maxWaitMs', limits.maxWaitMs, 0);
  checked('retry.maxTotalMs', limits.maxTotalMs, 0);
  return limits;
}

function checked(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= MAX_MS) return value;
  throw new RangeError(`${name} is a whole number from ${least} to ${MAX_MS}, not ${value}`);
}
