import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { publicHeaders } from '@capability-router/contracts';

/** A random UUID, as a request gets that brings no id. A caller may choose one of this form as well. */
const MADE_REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const validRequestId = /^[\x21-\x7e]{1,128}$/;

/** The caller's request id if it is 1 to 128 visible ASCII characters, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers[publicHeaders.requestId];
  return typeof given === 'string' && validRequestId.test(given) ? given : randomUUID();
}

/** False: the caller chose the id, which may say anything, a credential or a name among it. */
export const isMadeRequestId = (id: string): boolean => MADE_REQUEST_ID.test(id);
