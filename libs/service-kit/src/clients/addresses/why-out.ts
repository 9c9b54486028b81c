import type { ContextName } from '@capability-router/contracts';
import { isConnectTimeout } from '../connect-error.js';
import type { EjectionReason } from './address-health.js';

/** The reason why an address is left out to which no connection could be made. */
export const whyNotConnected = (cause: unknown): EjectionReason => (isConnectTimeout(cause) ? 'silent' : 'refused');

/** A request reached another server, and not the service. */
export class AnsweredByAnother extends Error {
  constructor(service: ContextName) {
    super(`another server than ${service} has the address`);
    this.name = 'AnsweredByAnother';
  }
}
