import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { publicHeaders } from '@capability-router/contracts';

const validRequestId = /^[\x21-\x7e]{1,128}$/;

/** The caller's request id if it is 1 to 128 visible ASCII characters, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers[publicHeaders.requestId];
  return typeof given === 'string' && validRequestId.test(given) ? given : randomUUID();
}
