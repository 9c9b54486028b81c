import type { JsonObject } from '@capability-router/kernel';
import type { CapabilityCandidate } from './capability-mapping.js';
import type { LocalizedText } from './tool-contract.js';

/** The effect of serving a request on the world, whichever candidate serves it. */
export const capabilityEffects = [
  /** Nothing: it can be asked again, and of several at a time. */
  'read_only',
  /** Once or several times is the same. */
  'idempotent',
  'unsafe',
] as const;
export type CapabilityEffect = (typeof capabilityEffects)[number];

/** A free word for what a capability is about. */
export interface CapabilityTag {
  /** `weather`, `real-time` */
  readonly id: string;
  readonly name?: string;
  readonly type?: string;
  readonly description?: string;
}

/** One capability that several tools can serve. */
export interface CapabilityManifest {
  /** `resource.action` */
  readonly capabilityId: string;
  readonly name: LocalizedText;
  readonly description: LocalizedText;
  /** JSON Schema 2020-12 of the parameters that every candidate's are mapped from. */
  readonly parametersSchema: JsonObject;
  /** JSON Schema of `result.data` after mapping. Beside its `description`, a property may have a `unit`: `km`. */
  readonly resultSchema: JsonObject;
  readonly candidates: readonly CapabilityCandidate[];
  /** Absent in contracts of older builds, and then not known: to be taken for unsafe. */
  readonly effect?: CapabilityEffect;
  /** Parameters that work as they stand. Absent in contracts of older builds. */
  readonly sampleParameters?: JsonObject;
  readonly tags?: readonly CapabilityTag[];
}

export interface CapabilityContract extends CapabilityManifest {
  readonly contractVersion: number;
  /** SHA-256 of the canonical manifest, 64 lowercase hex digits. */
  readonly schemaHash: string;
}
