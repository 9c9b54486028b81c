import type { Dispatcher, Pool } from 'undici';
import type { ContextName } from '@capability-router/contracts';
import { UpstreamUnavailable, type ServiceRequest, type ServiceResponse } from './service-client.js';

/** Bytes of an answer that is held whole; pages of 50,000 rows of the audit are the largest. */
export const MAX_RESPONSE_BYTES = 268_435_456;

/** One request that is on its way to one address. */
export interface Exchange {
  /** False proves that the service has not seen the request. */
  readonly written: boolean;
  /** Ends it; what it would have been told is not told any more. */
  abandon(why: Error): void;
}

/** `answered` or `failed` is called once, unless the exchange is abandoned. */
export interface ExchangeProgress {
  /** The first byte is about to be written, which may be before `exchange` returns; false keeps it from being written. */
  begins(): boolean;
  answered(response: ServiceResponse): void;
  failed(error: UpstreamUnavailable): void;
}

/**
 * One request on a pool, its answer buffered. Uses undici's dispatch directly: it is the quickest way, and the only one
 * that says whether the request has begun to be written. Keeps no deadline.
 */
export function exchange(
  pool: Pool,
  service: ContextName,
  request: ServiceRequest,
  headers: Record<string, string>,
  progress: ExchangeProgress,
): Exchange {
  let controller: Dispatcher.DispatchController | undefined;
  let ended = false;
  let status = 0;
  let responseHeaders: ServiceResponse['headers'] = {};
  const chunks: Buffer[] = [];
  let bytes = 0;

  const fail = (cause: unknown): void => {
    if (ended) return;
    ended = true;
    progress.failed(new UpstreamUnavailable(service, controller !== undefined, cause));
  };

  pool.dispatch(
    { path: request.path, method: request.method, headers, body: request.body ?? null },
    {
      // Called once a connection is there, just before the first byte is written.
      onRequestStart(started) {
        if (!ended && progress.begins()) controller = started;
        else {
          ended = true;
          started.abort(new Error('given up while waiting for a connection'));
        }
      },
      onResponseStart(_controller, statusCode, received) {
        status = statusCode;
        responseHeaders = received;
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length;
        if (bytes <= MAX_RESPONSE_BYTES) {
          chunks.push(chunk);
          return;
        }
        const tooLarge = new Error(`the answer is larger than ${MAX_RESPONSE_BYTES} bytes`);
        fail(tooLarge);
        controller?.abort(tooLarge);
      },
      onResponseEnd() {
        if (ended) return;
        ended = true;
        progress.answered({ status, headers: responseHeaders, body: joined(chunks) });
      },
      onResponseError(_controller, error) {
        fail(error);
      },
    },
  );

  return {
    get written() {
      return controller !== undefined;
    },
    abandon(why) {
      if (ended) return;
      ended = true;
      controller?.abort(why);
    },
  };
}

function joined(chunks: Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
