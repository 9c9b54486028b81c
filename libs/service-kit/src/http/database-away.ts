import { classifyError } from '@capability-router/event-bus';
import { isConnectError } from '../clients/connect-error.js';

const MAX_CAUSE_DEPTH = 8;
/** No connection was there, so nothing was asked of the database: by PostgreSQL, and by the pool in its words. */
const unconnectedCodes: ReadonlySet<unknown> = new Set(['57P03', '53300', '28P01']);
const unconnectedMessage =
  /^(?:timeout exceeded when trying to connect|Connection terminated due to connection timeout)/;

/**
 * A request failed since something that it needs is away for the moment, and may be sent again: a read in any case,
 * another one where nothing can have been done. Whether a command took effect whose connection broke is not known, so
 * it stays a fault of ours.
 */
export function mayBeSentAgain(error: unknown, method: string): boolean {
  if (method === 'GET' || method === 'HEAD') return classifyError(error) === 'transient';
  let current = error;
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && current instanceof Error; depth += 1) {
    if (isConnectError(current)) return true;
    if ('code' in current && unconnectedCodes.has(current.code)) return true;
    if (unconnectedMessage.test(current.message)) return true;
    current = current.cause;
  }
  return false;
}
