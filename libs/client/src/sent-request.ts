/**
 * A request as openapi-fetch makes it: what `fetch` will be given. A `Request` of the platform would be made twice, by the library and by
 * `fetch`, which copies what it gets.
 */
export class SentRequest {
  readonly method: string;
  readonly signal: AbortSignal | null | undefined;

  constructor(
    readonly url: string,
    readonly init: RequestInit,
  ) {
    this.method = init.method ?? 'GET';
    this.signal = init.signal;
  }
}

export const sendWith =
  (send: (url: string, init: RequestInit) => Promise<Response>) =>
  (request: unknown): Promise<Response> => {
    const { url, init } = request as SentRequest;
    return send(url, init);
  };
