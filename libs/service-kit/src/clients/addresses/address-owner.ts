import { internalHeaders } from '@capability-router/contracts';
import type { ContextName } from '@capability-router/contracts';
import type { ServiceResponse } from '../service-client.js';

/** A server that knows nothing of the path, or of our tokens, answers one of these. */
const refusals: ReadonlySet<number> = new Set([401, 403, 404, 405]);

/** Who answers at one address of a service: the service, or another server, to whom the address belongs by now. */
export class AddressOwner {
  private hasNamedItself = false;

  constructor(private readonly service: ContextName) {}

  /**
   * True: another server has answered, and the service has not seen such a request. A service names itself on every answer, so
   * an answer that names another is none of this service, nor is a refusal without a name where the address has named itself
   * before. Until then such a refusal counts, because builds that name nothing refuse as well.
   */
  isAnother({ status, headers }: Pick<ServiceResponse, 'status' | 'headers'>): boolean {
    const name = headers[internalHeaders.answeredBy];
    if (name === undefined) return this.hasNamedItself && refusals.has(status);
    this.hasNamedItself ||= name === this.service;
    return name !== this.service;
  }
}
