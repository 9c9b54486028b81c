import createTransport from 'openapi-fetch';
import { exchangeWith, type Given, type Transport } from './exchange.js';
import type { paths } from './generated/public-api.js';
import { everyItem, type CursorItems } from './every-item.js';
import type { Send } from './methods.js';
import {
  baseUrlOf,
  checkedTimeoutMs,
  DEFAULT_RETRY,
  DEFAULT_TIMEOUT_MS,
  retryLimitsOf,
  type ClientOptions,
} from './options.js';
import { SentRequest, sendWith } from './sent-request.js';
import { settledUsage, type SettledUsage } from './settled-usage.js';

/** The public interface of one deployment, by one credential. */
export interface Client {
  /** The address that paths are appended to. */
  readonly baseUrl: string;
  readonly GET: Send<'get'>;
  readonly POST: Send<'post'>;
  readonly PUT: Send<'put'>;
  readonly PATCH: Send<'patch'>;
  readonly DELETE: Send<'delete'>;
  readonly HEAD: Send<'head'>;
  /** The row of the audit of a call or query, once what it costs is settled. */
  readonly settledUsage: SettledUsage;
  /** Every item of a list with a cursor, page after page. */
  readonly everyItem: CursorItems;
}

/** @throws TypeError, RangeError for options that cannot be */
export function createClient(options: ClientOptions): Client {
  const baseUrl = baseUrlOf(options.baseUrl);
  const { apiKey, headers = {}, makeIdempotencyKeys = true } = options;
  const transport = createTransport<paths>({
    baseUrl,
    headers,
    // A redirect would take the key along.
    redirect: 'error',
    Request: SentRequest as unknown as typeof Request,
    fetch: sendWith(options.fetch ?? ((url, init) => fetch(url, init))),
  });
  const exchange = exchangeWith({
    credential: typeof apiKey === 'function' ? apiKey : () => apiKey,
    makeIdempotencyKeys,
    timeoutMs: checkedTimeoutMs(options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    retry: retryLimitsOf(DEFAULT_RETRY, options.retry),
  });
  // The type of each method is checked where the method is used; here all are one.
  const method = (name: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'): never =>
    ((path: string, given: Given = {}) => exchange(name, transport[name] as Transport, path, given)) as never;
  const GET: Send<'get'> = method('GET');
  return {
    baseUrl,
    GET,
    POST: method('POST'),
    PUT: method('PUT'),
    PATCH: method('PATCH'),
    DELETE: method('DELETE'),
    HEAD: method('HEAD'),
    settledUsage: settledUsage(GET),
    everyItem: everyItem(GET),
  };
}
