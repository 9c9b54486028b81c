import { internalHeaders, type ContextName } from '@capability-router/contracts';
import type { ServiceResponse } from '../service-client.js';

/** A server that knows nothing of the path, or of our tokens, answers one of these. */
const refusals: ReadonlySet<number> = new Set([401, 403, 404, 405]);
/** Milliseconds without a name after which an address counts as never named; longer than name servers keep what they know. */
export const NAME_FORGOTTEN_MS = 60_000;

/** Who answers at one address of a service: the service, or another server, to whom the address belongs by now. */
export class AddressOwner {
  private hasNamedItself = false;
  /** The time of the first answer without a name since one that had it. */
  private namelessSinceMs: number | undefined;

  /** `monotonicMs`: of a clock that never steps. */
  constructor(
    private readonly service: ContextName,
    private readonly forgottenMs: number = NAME_FORGOTTEN_MS,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /**
   * True: another server has answered, and the service has not seen such a request. A service names itself on every answer, so
   * an answer that names another is none of this service, nor is a refusal without a name where the address has named itself
   * before. Otherwise such a refusal counts, because builds that name nothing refuse as well. An address that names itself no
   * more for a minute has had such a build rolled back to: one that another server got would have left the name by then.
   */
  isAnother({ status, headers }: Pick<ServiceResponse, 'status' | 'headers'>): boolean {
    const name = headers[internalHeaders.answeredBy];
    if (name === undefined) {
      this.heardNoName();
      return this.hasNamedItself && refusals.has(status);
    }
    this.namelessSinceMs = undefined;
    this.hasNamedItself ||= name === this.service;
    return name !== this.service;
  }

  private heardNoName(): void {
    if (!this.hasNamedItself) return;
    const nowMs = this.monotonicMs();
    this.namelessSinceMs ??= nowMs;
    if (nowMs - this.namelessSinceMs < this.forgottenMs) return;
    this.hasNamedItself = false;
    this.namelessSinceMs = undefined;
  }
}
