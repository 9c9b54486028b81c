import { createHash } from 'node:crypto';
import type { CapabilityManifest } from '@capability-router/contracts';
import { canonicalJson, type JsonValue } from '@capability-router/kernel';
import type { HashedCapability } from './domain/plan-publication.js';

/** A member that is undefined counts as absent. */
export function hashCapability(manifest: CapabilityManifest): HashedCapability {
  const plain = JSON.parse(JSON.stringify(manifest)) as JsonValue;
  return { manifest, schemaHash: createHash('sha256').update(canonicalJson(plain)).digest('hex') };
}
