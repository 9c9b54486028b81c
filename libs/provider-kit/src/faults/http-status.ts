import { STATUS_CODES } from 'node:http';
import { failure, type ProviderFailure, type ProviderFault } from '../provider-adapter.js';

/** Statuses after which the same request may well succeed. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Characters of what a provider says about its error. */
const MAX_SAID_LENGTH = 300;

/** Statuses by which providers say that the parameters, not they themselves, are the trouble. */
const aboutParameters = new Set([400, 404, 409, 410, 413, 414, 422]);

export const isPassingStatus = (status: number): boolean => passing.has(status);

export const isSuccessStatus = (status: number): boolean => status >= 200 && status < 300;

/** The fault that an HTTP status other than 2xx is. `said`: the provider's own words, which are labelled as such. */
export function classifyStatus(
  status: number,
  { retryAfter, said = '' }: { readonly retryAfter?: string | undefined; readonly said?: string },
): ProviderFailure {
  const retryAfterMs = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter);
  const quoted = said === '' ? '' : ` It says: "${said.slice(0, MAX_SAID_LENGTH)}"`;
  const text = `The provider answered ${`${status} ${STATUS_CODES[status] ?? ''}`.trim()}.${quoted}`;
  return failure(faultOf(status), text, {
    statusCode: status,
    retryable: isPassingStatus(status),
    ...(aboutParameters.has(status) ? { callerFault: true } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Statuses with a meaning of their own; every other one that is not 2xx, redirects included, is `http_error`. */
export const statusFaults: Readonly<Record<number, ProviderFault>> = {
  401: 'auth_or_permission',
  403: 'auth_or_permission',
  407: 'auth_or_permission',
  429: 'rate_limited',
};

const faultOf = (status: number): ProviderFault => statusFaults[status] ?? 'http_error';

/** Seconds or a date (RFC 9110, 10.2.3), as milliseconds from now. */
function parseRetryAfter(value: string): number | undefined {
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
