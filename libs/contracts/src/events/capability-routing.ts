import type { EventEnvelope } from '../envelope.js';
import type { CapabilityContract } from '../tools/capability-contract.js';

export interface CapabilityPublished {
  readonly capability: CapabilityContract;
}

export type CapabilityEvent = EventEnvelope<'CapabilityPublished', CapabilityPublished>;
