import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AccountAssertion } from '@capability-router/contracts';

export interface ForbiddenRequest {
  readonly request: FastifyRequest;
  /** The owner of the credential that it came with, where that is known. */
  readonly account: AccountAssertion | undefined;
  /** The scope that the credential lacks; absent where something else forbids the request. */
  readonly scope?: string;
}

/**
 * The line in the security log for a request that is answered 403, as what an intruder would try. It names the route and
 * not the address that was asked for, and holds nothing of the body or of the credential.
 */
export function logForbidden(logger: Logger, { request, account, scope }: ForbiddenRequest): void {
  const { method, url: path } = request.routeOptions;
  logger.warn(
    {
      log: 'security',
      requestId: request.id,
      accountId: account?.accountId,
      apiKeyId: account?.apiKeyId,
      caller: request.caller,
      clientAddress: request.ip,
      method: typeof method === 'string' ? method : request.method,
      path,
      scope,
    },
    scope === undefined ? 'a request was forbidden' : 'a credential lacks the scope of the route',
  );
}
