/** Codes of what can happen only before there is a connection. The last one is of an address that has left the service. */
const connectErrors: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
]);
const connectTimeouts: ReadonlySet<unknown> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/**
 * Proves that no byte was sent. Other codes alone prove nothing: `EHOSTUNREACH` ends a connection too, so the call that
 * failed has to be `connect`. A name with several addresses fails with the errors of all of them.
 */
export function isConnectError(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(isConnectError);
  if (typeof cause !== 'object' || cause === null) return false;
  if ('syscall' in cause && cause.syscall === 'connect') return true;
  return 'code' in cause && connectErrors.has(cause.code);
}

/** Tells a connect error in which nobody answered from others: the connection was asked for in vain. */
export const isConnectTimeout = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'code' in cause && connectTimeouts.has(cause.code);
