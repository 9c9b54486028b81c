import type { CapabilityRecord } from '../contracts/capability.entity.js';
import type { CapabilityOutcome } from './apply-capabilities.js';

/** An item of a list. */
export const listedCapability = ({ capabilityId, contract, retired, ...record }: CapabilityRecord): object => ({
  capability_id: capabilityId,
  status: retired ? 'retired' : 'published',
  source: record.source,
  contract_version: record.contractVersion,
  schema_hash: record.schemaHash,
  name: contract.name,
  candidate_count: contract.candidates.length,
  published_at: record.publishedAt.toISOString(),
});

/** The result for a contract that was taken. */
export function takenAnswer(outcome: Extract<CapabilityOutcome, { contractVersion: number }>): {
  result: string;
  [member: string]: unknown;
} {
  const { diff } = outcome;
  return {
    result: outcome.result,
    contract_version: outcome.contractVersion,
    schema_hash: outcome.schemaHash,
    ...(diff === undefined ? {} : { breaking: diff.breaking, changes: diff.changes }),
    ...(diff?.truncated === true ? { truncated: true } : {}),
    bindings: outcome.bindings.map(({ toolId, status, toolVersion }) => ({
      tool_id: toolId,
      status,
      ...(toolVersion === undefined ? {} : { tool_version: toolVersion }),
    })),
  };
}
