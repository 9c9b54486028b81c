import type { ReportedCaller } from '@capability-router/contracts';
import type { FastifyRequest } from 'fastify';

/** Method and pattern of the path, as the security log names a route. */
export function routeOf(request: FastifyRequest): string {
  const { method, url: path = '' } = request.routeOptions;
  return `${typeof method === 'string' ? method : request.method} ${path}`;
}

/** Whose credential the request carries; undefined where none was valid. */
export function callerOf({ authenticated }: FastifyRequest): ReportedCaller | undefined {
  if (authenticated === undefined) return undefined;
  const { accountId, apiKeyId, oauthClientId, credentialType } = authenticated.account;
  return {
    accountId,
    credentialType,
    ...(apiKeyId === undefined ? {} : { apiKeyId }),
    ...(oauthClientId === undefined ? {} : { oauthClientId }),
  };
}
