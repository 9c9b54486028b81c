import { UnreadableAnswerError } from './egress-error.js';

/** Statuses whose responses are made without a body. */
const bodiless = new Set([204, 205, 304]);

/** The same response, whose body fails once it has passed `maxBytes` (already decompressed). */
export function boundedResponse(response: Response, maxBytes: number): Response {
  const headers = new Headers(response.headers);
  // The body is decompressed by now.
  headers.delete('content-encoding');
  headers.delete('content-length');
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) controller.enqueue(chunk);
      else controller.error(new UnreadableAnswerError('too_large', `The answer is larger than ${maxBytes} bytes`));
    },
  });
  const body = response.body === null || bodiless.has(response.status) ? null : response.body.pipeThrough(bound);
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
