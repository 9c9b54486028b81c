import { fail, ok, type Result } from '@capability-router/kernel';

/** Member of `_meta` of a `tools/call`: what the header `Idempotency-Key` is to REST. */
export const IDEMPOTENCY_KEY = 'capability-router/idempotency-key';
/** As the interface has it: 1 to 255 visible ASCII characters. */
const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** The key of a call, if it has one. Fails with a sentence for the caller. */
export function idempotencyKeyOf(given: unknown): Result<string | undefined, string> {
  if (given === undefined) return ok(undefined);
  if (typeof given === 'string' && keyPattern.test(given)) return ok(given);
  return fail(`Send _meta["${IDEMPOTENCY_KEY}"] as one key of 1 to 255 visible ASCII characters, without spaces.`);
}
