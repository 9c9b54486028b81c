import { internalHeaders } from '@capability-router/contracts';
import type { ContextName } from '@capability-router/contracts';
import { isConnectTimeout } from '../connect-error.js';
import type { ServiceResponse } from '../service-client.js';
import type { EjectionReason } from './address-health.js';

/** Why an address is left out to which no connection could be made. */
export const whyNotConnected = (cause: unknown): EjectionReason => (isConnectTimeout(cause) ? 'silent' : 'refused');

/** A server that knows nothing of the path, or of our tokens, answers one of these. */
const refusals: ReadonlySet<number> = new Set([401, 403, 404, 405]);

/**
 * Has another server answered, to whom the address belongs by now? Each of our services names itself on every answer, so one
 * that names another is none of this service, nor is a refusal without a name. The service has not seen such a request.
 */
export function isOfAnother(
  service: ContextName,
  { status, headers }: Pick<ServiceResponse, 'status' | 'headers'>,
): boolean {
  const name = headers[internalHeaders.answeredBy];
  return name === undefined ? refusals.has(status) : name !== service;
}

/** A request reached another server, and not the service. */
export class AnsweredByAnother extends Error {
  constructor(service: ContextName) {
    super(`another server than ${service} has the address`);
    this.name = 'AnsweredByAnother';
  }
}
