import type { Authorization } from '../credentials/authorizer.js';
import type { EgressClient } from '../egress/index.js';

const NOT_OFFERED = 405;

type StreamEndListener = (error?: unknown) => void;

/**
 * The `fetch` of one MCP session: through the egress guard, with the credential of the call at hand, and aware of what
 * becomes of a streamed answer, which the SDK would only ever notice by a timeout.
 */
export class SessionFetch {
  authorization: Authorization;
  /** Asked at each request for what hears when its streamed answer breaks off, with why, or ends. */
  onStreamEnd: () => StreamEndListener = () => () => undefined;
  /** These end each request since the last call, and let go of the session's own signal. */
  private readonly endings = new Set<() => void>();

  constructor(
    private readonly egress: EgressClient,
    authorization: Authorization,
  ) {
    this.authorization = authorization;
  }

  readonly fetch = async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    // A call waits on its own answer only: a standing stream for news of the server would cost a connection a session.
    if ((init.method ?? 'GET') === 'GET') return new Response(null, { status: NOT_OFFERED });
    const url = new URL(target);
    for (const [name, value] of this.authorization.query) url.searchParams.set(name, value);
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(this.authorization.headers)) headers.set(name, value);
    // Its stream may end when the session serves another call already.
    const onStreamEnd = this.onStreamEnd();
    const response = await this.egress.fetch(url, { ...init, headers, ...this.abortable(init) });
    return watched(response, onStreamEnd);
  };

  /** Ends what answers are still streaming: the call is over. */
  endStreams(): void {
    for (const end of this.endings) end();
    this.endings.clear();
  }

  private abortable({ signal }: RequestInit): { signal: AbortSignal } {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    if (signal?.aborted === true) abort();
    // The signal lives as long as the session, which serves any number of calls.
    signal?.addEventListener('abort', abort);
    this.endings.add(() => {
      signal?.removeEventListener('abort', abort);
      abort();
    });
    return { signal: controller.signal };
  }
}

function watched(response: Response, onStreamEnd: StreamEndListener): Response {
  const headers = new Headers(response.headers);
  // Redirects are never followed, also not by the SDK.
  headers.delete('location');
  const { status, statusText } = response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const body = response.body === null || !isStream ? response.body : observe(response.body, onStreamEnd);
  return new Response(body, { status, statusText, headers });
}

function observe(body: ReadableStream<Uint8Array>, onStreamEnd: StreamEndListener): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { value, done } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        controller.close();
        onStreamEnd();
      } catch (error) {
        controller.error(error);
        onStreamEnd(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
