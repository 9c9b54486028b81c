/** No retry can mend it: the event's key is parked at once. */
export class PermanentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentError';
  }
}

/** Waiting may mend it, however long it takes: the batch is tried again with a growing pause. */
export class TransientError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransientError';
  }
}

/**
 * Connection loss, a login that is refused while its password is being turned, an idle transaction that was ended, deadlock or serialization failure, resources, operator shutdown,
 * read-only after a failover.
 */
const transientSqlState = /^(?:08...|28P01|25P03|40001|40P01|53...|55P03|57P0.|57014|25006)$/;
const transientNodeCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const transientNames = new Set(['TransientError', 'UpstreamUnavailable', 'UpstreamTimeout']);
/** node-postgres reports a lost connection without a code. */
const transientMessage = /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;
const MAX_CAUSE_DEPTH = 8;

export type ErrorClass = 'transient' | 'permanent' | 'unknown';

/** The outermost member of the cause chain that is known decides. */
export function classifyError(error: unknown): ErrorClass {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && current instanceof Error; depth += 1) {
    if (current instanceof PermanentError) return 'permanent';
    if (isTransient(current)) return 'transient';
    current = current.cause;
  }
  return 'unknown';
}

function isTransient(error: Error & { code?: unknown; retryable?: unknown }): boolean {
  if (transientNames.has(error.name) || error.retryable === true || transientMessage.test(error.message)) return true;
  if (typeof error.code !== 'string') return false;
  return transientSqlState.test(error.code) || transientNodeCodes.has(error.code) || error.code.startsWith('UND_ERR_');
}
