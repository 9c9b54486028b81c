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

/** Throws 401 when the request carries no account assertion. */
export function callerOf(request: FastifyRequest): Caller {
  return {
    account: accountOf(request),
    assertion: single(request.headers[internalHeaders.accountAssertion]),
    requestId: request.id,
    traceparent: request.traceparent,
    acceptLanguage: request.headers['accept-language'],
  };
}

const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;
