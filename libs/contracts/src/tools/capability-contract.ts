import type { JsonObject } from '@capability-router/kernel';
import type { CapabilityCandidate } from './capability-mapping.js';
import type { LocalizedText } from './tool-contract.js';

/** One capability that several tools can serve. */
export interface CapabilityManifest {
  /** `resource.action` */
  readonly capabilityId: string;
  readonly name: LocalizedText;
  readonly description: LocalizedText;
  /** JSON Schema 2020-12 of the parameters that every candidate's are mapped from. */
  readonly parametersSchema: JsonObject;
  /** JSON Schema of `result.data` after mapping. */
  readonly resultSchema: JsonObject;
  readonly candidates: readonly CapabilityCandidate[];
}

export interface CapabilityContract extends CapabilityManifest {
  readonly contractVersion: number;
  /** SHA-256 of the canonical manifest, 64 lowercase hex digits. */
  readonly schemaHash: string;
}
