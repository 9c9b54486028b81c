import { internalHeaders, type AccountAssertion } from '@capability-router/contracts';
import { accountOf } from '@capability-router/service-kit';
import type { FastifyRequest } from 'fastify';

/** Who asks, and how the request is traced. */
export interface Caller {
  readonly account: AccountAssertion;
  /** The gateway's assertion as it came, to be passed on. */
  readonly assertion: string | undefined;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly acceptLanguage: string | undefined;
}

const traceparentPattern = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Throws 401 when the request carries no account assertion. */
export function callerOf(request: FastifyRequest): Caller {
  const traceparent = single(request.headers['traceparent']);
  return {
    account: accountOf(request),
    assertion: single(request.headers[internalHeaders.accountAssertion]),
    requestId: request.id,
    traceparent: traceparent !== undefined && traceparentPattern.test(traceparent) ? traceparent : undefined,
    acceptLanguage: request.headers['accept-language'],
  };
}

const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;
