import type { EventEnvelope } from '../envelope.js';
import type { CapabilityContract } from '../tools/capability-contract.js';

export interface CapabilityPublished {
  readonly capability: CapabilityContract;
}

/** Callers are not shown the contract any more. It may come back, as it was, with another `CapabilityPublished`. */
export interface CapabilityRetired {
  readonly capabilityId: string;
  readonly contractVersion: number;
  readonly retiredAt: string;
}

export type CapabilityEvent =
  | EventEnvelope<'CapabilityPublished', CapabilityPublished>
  | EventEnvelope<'CapabilityRetired', CapabilityRetired>;
