import type { AccountAssertion } from '@capability-router/contracts';
import type { AccountId, JsonObject } from '@capability-router/kernel';
import type { FastifyRequest } from 'fastify';
import { commanderOf, requireIdempotencyKey } from '../admin-requests/admin-request.js';
import type { AdminCommand } from './run-admin-command.js';

/** A command about one account. `wanted`: its valid body. Throws a 422 where the request names no `Idempotency-Key`. */
export function accountCommand(
  kind: string,
  caller: AccountAssertion,
  accountId: AccountId,
  request: FastifyRequest,
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
