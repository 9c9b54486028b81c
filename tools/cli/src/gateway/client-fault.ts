import type { NoAnswerError, RefusedError } from '@capability-router/client';
import { isObject, type Gateway } from './gateway.js';
import { refusal } from './refusal.js';

/** The errors of the client in the words of a command; any other error as it is. The client is loaded by those who send, so names tell. */
export function clientFault(error: unknown, gateway: Gateway): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'RefusedError') {
    const { status, answer, retryAfterSeconds } = error as RefusedError;
    return isObject(answer) ? refusal(gateway, status, answer, { retryAfterSeconds }) : gateway.noGateway(status);
  }
  if (error.name !== 'NoAnswerError') return error;
  const { reason, cause } = error as NoAnswerError;
  return reason === 'unusable' ? gateway.noGateway() : gateway.notReached(cause);
}
