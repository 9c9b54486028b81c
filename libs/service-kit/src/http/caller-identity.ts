import {
  createParamDecorator,
  Injectable,
  SetMetadata,
  type CanActivate,
  type CustomDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { internalHeaders, type AccountAssertion, type ContextName } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import type { InternalTokens } from '../tokens/internal-tokens.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The service whose token the request carries; undefined when it carries none that is valid. */
    caller: ContextName | undefined;
    /** The account that the gateway vouches for. Only present beside a valid caller. */
    account: AccountAssertion | undefined;
  }
}

const bearer = 'Bearer ';

/** Reads both tokens of every request before its body; refusing is left to the guard of the route. */
export function identifyCallers(server: FastifyInstance, tokens: InternalTokens, logger: Logger): void {
  server.decorateRequest('caller', undefined);
  server.decorateRequest('account', undefined);
  server.addHook('onRequest', async (request) => {
    const header = request.headers[internalHeaders.serviceToken];
    if (typeof header !== 'string' || !header.startsWith(bearer)) return;
    try {
      request.caller = await tokens.verifyService(header.slice(bearer.length));
      const assertion = request.headers[internalHeaders.accountAssertion];
      if (typeof assertion === 'string') request.account = await tokens.verifyAssertion(assertion);
    } catch (error) {
      request.caller = undefined;
      logger.warn({ err: error, requestId: request.id, route: request.routeOptions.url }, 'refused an internal token');
    }
  });
}

/** For plain Fastify routes; routes of controllers declare `@AllowCallers`. Throws 401 or 403. */
export function requireCaller(request: FastifyRequest, callers: readonly ContextName[]): ContextName {
  const { caller } = request;
  if (caller === undefined) throw new AppError('invalid_api_key', 'The service token is missing or invalid.');
  if (!callers.includes(caller)) throw new AppError('forbidden', `The service "${caller}" may not use this route.`);
  return caller;
}

/** The account of the verified assertion. Throws 401 when the request has none. */
export function accountOf(request: FastifyRequest): AccountAssertion {
  if (request.account === undefined) throw new AppError('invalid_api_key', 'The account assertion is missing.');
  return request.account;
}

const allowedCallers = Symbol('allowed callers');

/** The services that may use a route. Without it nobody may. */
export const AllowCallers = (...callers: ContextName[]): CustomDecorator<symbol> =>
  SetMetadata(allowedCallers, callers);

/** `AccountAssertion` of the request; 401 when it carries none. */
export const CurrentAccount = createParamDecorator((_data: unknown, context: ExecutionContext): AccountAssertion =>
  accountOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** `ContextName` of the calling service. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): ContextName => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (caller === undefined) throw new AppError('invalid_api_key', 'The service token is missing or invalid.');
  return caller;
});

/** Set on every application by `createNestApp`: refuses each route that does not list its callers. */
@Injectable()
export class AllowCallersGuard implements CanActivate {
  private readonly reflector = new Reflector();

  canActivate(context: ExecutionContext): boolean {
    const callers = this.reflector.getAllAndOverride<ContextName[] | undefined>(allowedCallers, [
      context.getHandler(),
      context.getClass(),
    ]);
    requireCaller(context.switchToHttp().getRequest<FastifyRequest>(), callers ?? []);
    return true;
  }
}
