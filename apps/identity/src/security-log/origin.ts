import { AsyncLocalStorage } from 'node:async_hooks';
import { internalHeaders } from '@capability-router/contracts';
import type { FastifyRequest } from 'fastify';
import type { Actor } from './chain/entry.js';

/** Whose request a fact comes from. */
export interface Origin {
  readonly actor: Actor;
  readonly requestId?: string;
  /** Where the request came from. */
  readonly details?: Readonly<Record<string, string>>;
}

/** Characters; what a client says of itself beyond it is cut off. */
const MAX_USER_AGENT_LENGTH = 200;
const ADMIN_PREFIX = '/admin/v1';
const origins = new AsyncLocalStorage<Origin>();

/** Everything that `work` does is done for the request. */
export const doneFor = <T>(request: FastifyRequest, work: () => T): T => origins.run(originOf(request), work);

/** The origin of the request that is served; outside of one the service acts by itself. */
export const currentOrigin = (): Origin => origins.getStore() ?? { actor: { type: 'system' } };

function originOf(request: FastifyRequest): Origin {
  const { account, headers, id: requestId } = request;
  const clientAddress = headers[internalHeaders.clientAddress];
  const userAgent = headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH);
  const details = {
    ...(typeof clientAddress === 'string' ? { clientAddress } : {}),
    ...(userAgent === undefined ? {} : { userAgent }),
  };
  const told = { requestId, ...(Object.keys(details).length === 0 ? {} : { details }) };
  if (account === undefined) return { actor: { type: 'anonymous' }, ...told };
  const isOperator = request.routeOptions.url?.startsWith(ADMIN_PREFIX) === true;
  return {
    actor: {
      type: isOperator ? 'operator' : 'account',
      accountId: account.accountId,
      credentialType: account.credentialType,
      ...(account.apiKeyId === undefined ? {} : { apiKeyId: account.apiKeyId }),
      ...(account.oauthClientId === undefined ? {} : { clientId: account.oauthClientId }),
    },
    ...told,
  };
}
