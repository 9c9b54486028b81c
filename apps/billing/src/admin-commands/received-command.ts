import type { AccountAssertion } from '@capability-router/contracts';
import type { AccountId, JsonObject } from '@capability-router/kernel';
import { accountOf, requireAdmin } from '@capability-router/service-kit';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commanderOf, requireAccountId, requireIdempotencyKey } from '../admin-requests/admin-request.js';
import type { AdminCommand } from './run-admin-command.js';

/** A request by which an administrator commands something about the account in its path. */
export interface ReceivedCommand {
  readonly caller: AccountAssertion;
  readonly accountId: AccountId;
  /** As it came. */
  readonly body: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** `ReceivedCommand` of a route with `:accountId`. Throws 401, 403 or 404 where it is none. */
export const Received = createParamDecorator((_data: unknown, context: ExecutionContext): ReceivedCommand => {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest<{ Params: { accountId: string } }>>();
  const caller = accountOf(request);
  requireAdmin(caller);
  const accountId = requireAccountId(request.params.accountId);
  return { caller, accountId, body: request.body, request, reply: http.getResponse<FastifyReply>() };
});

/** The command of a request. `wanted`: its valid body. Throws a 422 where the request names no `Idempotency-Key`. */
export function commandOf(
  kind: string,
  { caller, accountId, request }: ReceivedCommand,
  wanted: { readonly note?: string | null },
): AdminCommand {
  const idempotencyKey = requireIdempotencyKey(request);
  const note = wanted.note ?? undefined;
  return { kind, accountId, idempotencyKey, input: givenOf(wanted), note, commandedBy: commanderOf(caller) };
}

/** The members of a valid body that say something: null and absent are the same input. */
function givenOf(wanted: object): JsonObject {
  const given = Object.entries(wanted as JsonObject).filter(([, value]) => (value ?? null) !== null);
  return Object.fromEntries(given);
}
