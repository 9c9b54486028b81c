import { publicHeaders, type AccountAssertion } from '@capability-router/contracts';
import { AppError, isAccountId, type AccountId, type JsonObject } from '@capability-router/kernel';
import type { FastifyRequest } from 'fastify';

const keyPattern = /^[!-~]{1,255}$/;

/** The account that a path names. Throws `not_found` for what cannot be one. */
export function requireAccountId(text: string): AccountId {
  if (!isAccountId(text)) throw new AppError('not_found', 'There is no such account.');
  return text;
}

/** Money is moved once per key, so that a lost answer can be asked for again. Throws a 422 that names the header. */
export function requireIdempotencyKey(request: FastifyRequest): string {
  const key = request.headers[publicHeaders.idempotencyKey];
  if (typeof key === 'string' && keyPattern.test(key)) return key;
  const msg = 'Send a header Idempotency-Key of 1 to 255 visible ASCII characters, a new one for each command';
  throw new AppError('validation_error', `${msg}.`, {
    details: [
      {
        type: key === undefined ? 'missing' : 'string_pattern_mismatch',
        loc: ['header', 'Idempotency-Key'],
        msg,
        allowed: { type: 'string', pattern: keyPattern.source },
      },
    ],
  });
}

/** The refusal of a body in which one member does not go with the others; `allowed`: what it could be beside them. */
export const invalidMember = (name: string, msg: string, allowed?: JsonObject): AppError =>
  new AppError('validation_error', `"${name}" is invalid: ${msg}`, {
    details: [{ type: 'value_error', loc: ['body', name], msg, ...(allowed === undefined ? {} : { allowed }) }],
  });

/** Who the record of a command names. */
export const commanderOf = (caller: AccountAssertion): string => caller.apiKeyId ?? caller.accountId;
