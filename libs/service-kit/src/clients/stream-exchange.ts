import { PassThrough, pipeline, Readable } from 'node:stream';
import type { ContextName } from '@capability-router/contracts';
import { deadline } from '../util/timing.js';
import { AnsweredByAnother } from './addresses/why-out.js';
import { isConnectError } from './connect-error.js';
import { UpstreamTimeout, UpstreamUnavailable, type StreamedRequest, type StreamedResponse } from './service-client.js';

export interface StreamAttempt {
  /** The body to send, if any; its end, and its failure, are the request's. */
  readonly body: Readable | undefined;
  readonly signal: AbortSignal;
}

/**
 * Both kinds of client treat a streamed exchange alike: it ends when nothing moves for too long, when the caller has
 * gone, and when its body breaks. `send` is called once.
 */
export async function streamExchange(
  service: ContextName,
  request: StreamedRequest,
  send: (attempt: StreamAttempt) => Promise<StreamedResponse>,
): Promise<StreamedResponse> {
  // A stream tells nobody again what has happened to it already.
  const { body: source } = request;
  if (source?.destroyed === true && !source.readableEnded) throw source.errored ?? new Error('the body broke off');
  const controller = new AbortController();
  const abort = (reason: unknown): void => controller.abort(reason);
  const onCallerGone = (): void => abort(request.signal.reason);
  const idle = deadline(request.idleTimeoutMs, () => abort(new UpstreamTimeout(service, request.idleTimeoutMs, true)));
  const done = (): void => {
    idle.cancel();
    request.signal.removeEventListener('abort', onCallerGone);
  };
  request.signal.addEventListener('abort', onCallerGone, { once: true });
  if (request.signal.aborted) onCallerGone();
  const body = source === undefined ? undefined : copyOf(source, () => idle.refresh());
  try {
    const response = await send({ body, signal: controller.signal });
    // Once the answer has begun, an exchange that is broken off breaks the answer.
    const answer = watched(() => idle.refresh());
    pipeline(response.body, answer, done);
    controller.signal.addEventListener('abort', () => answer.destroy(errorOf(controller.signal.reason)), {
      once: true,
    });
    return { ...response, body: answer };
  } catch (cause) {
    done();
    body?.destroy();
    if (source != null && source.errored !== null) throw source.errored;
    if (controller.signal.reason instanceof UpstreamTimeout) throw controller.signal.reason;
    throw new UpstreamUnavailable(service, !isConnectError(cause) && !(cause instanceof AnsweredByAnother), cause);
  }
}

/**
 * The bytes of `source` as they come. Unlike a pipeline it never destroys its source: that is a caller's request, and to
 * destroy it would close the connection on which the caller is still to be answered.
 */
function copyOf(source: Readable, moved: () => void): Readable {
  const copy = watched(moved);
  const fail = (error?: Error): void => {
    if (!source.readableEnded) copy.destroy(error ?? new Error('the body of the request broke off'));
  };
  source.on('error', fail).once('close', () => fail());
  copy.once('close', () => source.unpipe(copy).off('error', fail));
  copy.on('error', () => undefined);
  source.pipe(copy);
  return copy;
}

function watched(moved: () => void): PassThrough {
  return new PassThrough({
    transform(chunk: Buffer, _encoding, next) {
      moved();
      next(null, chunk);
    },
  });
}

const errorOf = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('the exchange was broken off');
