import { createHash } from 'node:crypto';
import { canonicalJson } from '@capability-router/kernel';
import type { JsonValue } from '@capability-router/kernel';
import type { HashedTool } from './domain/plan-publication.js';
import type { ResolvedTool } from './domain/resolve-tool.js';

/** SHA-256 of the canonical JSON, 64 lowercase hex digits. A member that is undefined counts as absent. */
function hashOf(value: unknown): string {
  const plain = JSON.parse(JSON.stringify(value)) as JsonValue;
  return createHash('sha256').update(canonicalJson(plain)).digest('hex');
}

export function hashTool(tool: ResolvedTool): HashedTool {
  const { provider: _provider, categoryDefinitions: _categories, ...manifest } = tool;
  return { tool, schemaHash: hashOf(manifest), contractHash: hashOf(tool) };
}
