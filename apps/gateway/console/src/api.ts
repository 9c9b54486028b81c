import { ApiFailure, failureOf, noAnswer, waitFirst } from './api-failure.js';
import { objectOf, parseJson, type JsonObject } from './json.js';

const PREFIX = '/api/v1';
const MS_PER_SECOND = 1_000;
/** Milliseconds for an answer. */
const TIMEOUT_MS = 60_000;

type Query = Readonly<Record<string, string>>;
type Method = 'GET' | 'POST' | 'DELETE';

/**
 * The public interface of the page's own origin, as the key that was pasted. The key is in this object and nowhere else: no
 * storage, no cookie and no address has it, and it is gone with the page.
 */
export class Api {
  /** Until when (as `Date.now()`) requests of a surface are not sent, because the router asked to wait. */
  private readonly waits = new Map<string, number>();

  constructor(private readonly key: string) {}

  /** Enough of the key to tell it from others. */
  get keyEnding(): string {
    return this.key.slice(-4);
  }

  /** `data` of the answer. */
  async read(path: string, query: Query = {}): Promise<JsonObject> {
    return objectOf((await this.send('GET', path, query))['data']);
  }

  /** The whole answer. */
  post(path: string, body: object): Promise<JsonObject> {
    return this.send('POST', path, {}, body);
  }

  delete(path: string): Promise<JsonObject> {
    return this.send('DELETE', path, {});
  }

  /** Throws ApiFailure. Requests of a surface that has to wait are refused here. */
  private async send(method: Method, path: string, query: Query, body?: object): Promise<JsonObject> {
    const surface = path === '/search' || path === '/tools/by-ids' ? path : 'read';
    const waitMs = (this.waits.get(surface) ?? 0) - Date.now();
    if (waitMs > 0) throw waitFirst(Math.ceil(waitMs / MS_PER_SECOND));
    const response = await this.fetch(method, path, query, body);
    if (!response.ok) {
      const failure = await failureOf(response);
      const { status, retryAfterSeconds } = failure.told;
      if (status === 429) this.waits.set(surface, Date.now() + (retryAfterSeconds ?? 1) * MS_PER_SECOND);
      throw failure;
    }
    return this.parse(response);
  }

  private async fetch(method: Method, path: string, query: Query, body?: object): Promise<Response> {
    const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
    try {
      return await fetch(`${PREFIX}${path}${search === '' ? '' : `?${search}`}`, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          'accept-language': 'en',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch {
      throw noAnswer();
    }
  }

  private async parse(response: Response): Promise<JsonObject> {
    let text: string;
    try {
      text = await response.text();
    } catch {
      throw noAnswer();
    }
    try {
      return objectOf(parseJson(text));
    } catch {
      throw new ApiFailure('The answer is no JSON.', {
        status: response.status,
        nextStep: 'Look whether something between here and the router changes its answers.',
      });
    }
  }
}
