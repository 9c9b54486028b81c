import type { Dispatcher, Pool } from 'undici';
import type { ContextName } from '@capability-router/contracts';
import { UpstreamTimeout, UpstreamUnavailable } from './service-client.js';
import type { ServiceRequest, ServiceResponse } from './service-client.js';

/** Bytes of an answer that is held whole; pages of 50,000 rows of the audit are the largest. */
export const MAX_RESPONSE_BYTES = 268_435_456;

/**
 * One request on a pool, its answer buffered. Uses undici's dispatch directly: it is the quickest way, and the only one
 * that says whether the request has begun to be written.
 */
export function exchange(
  pool: Pool,
  service: ContextName,
  request: ServiceRequest,
  headers: Record<string, string>,
): Promise<ServiceResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;
    let status = 0;
    let responseHeaders: ServiceResponse['headers'] = {};
    const chunks: Buffer[] = [];
    let bytes = 0;

    const finish = (error: Error | undefined): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      if (error !== undefined) reject(error);
      else resolve({ status, headers: responseHeaders, body: joined(chunks) });
    };
    const timer = setTimeout(() => {
      const timeout = new UpstreamTimeout(service, request.timeoutMs, controller !== undefined);
      finish(timeout);
      controller?.abort(timeout);
    }, request.timeoutMs);

    pool.dispatch(
      { path: request.path, method: request.method, headers, body: request.body ?? null },
      {
        // Called once a connection is there, just before the first byte is written.
        onRequestStart(started) {
          if (settled) started.abort(new Error('timed out while waiting for a connection'));
          else controller = started;
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
          finish(new UpstreamUnavailable(service, true, tooLarge));
          controller?.abort(tooLarge);
        },
        onResponseEnd() {
          finish(undefined);
        },
        onResponseError(_controller, error) {
          finish(new UpstreamUnavailable(service, controller !== undefined, error));
        },
      },
    );
  });
}

function joined(chunks: Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
