import type { ToolContract, ToolManifest } from '@capability-router/contracts';
import { diffContracts } from '../../catalogue/domain/diff-contracts.js';
import { judgeReplacement, verdictMembers } from '../../catalogue/domain/replacement-verdict.js';
import { manifestOf } from '../../catalogue/domain/resolve-tool.js';
import type { StoredProposal } from '../../catalogue/proposals.sql.js';
import { toToolDocument } from '../manifest/to-document.js';
import type { ListedTool, ListedVersion } from './list-tools.sql.js';

/** A tool as administrators see it. */
export function toolAnswer(
  toolId: string,
  tool: ListedTool | undefined,
  proposal: StoredProposal | undefined,
  versions: readonly ListedVersion[],
): object {
  return {
    tool_id: toolId,
    provider_id: tool?.contract.providerId ?? proposal?.providerId,
    status: tool?.status ?? proposal?.status,
    source: tool?.source ?? proposal?.source,
    ...(tool === undefined ? {} : liveMembers(tool)),
    ...(proposal === undefined ? {} : { proposal: proposalAnswer(proposal, tool?.contract) }),
    versions: versions.map((entry) => ({
      version: entry.version,
      schema_hash: entry.schemaHash,
      source: entry.source,
      published_at: entry.publishedAt.toISOString(),
      ...(entry.supersededAt === null ? {} : { superseded_at: entry.supersededAt.toISOString() }),
    })),
  };
}

function liveMembers({ contract, retiredBy, changedAt }: ListedTool): object {
  return {
    ...(retiredBy === null ? {} : { retired_by: retiredBy }),
    version: contract.version,
    schema_hash: contract.schemaHash,
    changed_at: changedAt.toISOString(),
    manifest: toToolDocument(manifestOf(contract)),
  };
}

/** The proposal that waits, and what it would change for callers. */
function proposalAnswer(proposal: StoredProposal, live: ToolContract | undefined): object {
  return {
    status: proposal.status,
    source: proposal.source,
    schema_hash: proposal.schemaHash,
    proposed_at: proposal.proposedAt.toISOString(),
    manifest: toToolDocument(proposal.manifest),
    ...(live === undefined ? {} : { diff: diffAnswer(live, proposal.manifest) }),
  };
}

export function diffAnswer(before: ToolManifest, after: ToolManifest): object {
  const { breaking, costsMore, changesDestination, changes, truncated } = diffContracts(before, after);
  const [old, now] = [toToolDocument(before), toToolDocument(after)] as Record<string, unknown>[];
  return {
    breaking,
    costs_more: costsMore,
    changes_destination: changesDestination,
    changes: changes.map((change) => ({
      ...change,
      // As manifests write it.
      ...(change.before === undefined ? {} : { before: old?.[change.path] ?? change.before }),
      ...(change.after === undefined ? {} : { after: now?.[change.path] ?? change.after }),
    })),
    ...(truncated ? { truncated } : {}),
  };
}

/** An item of a list. */
export const listedTool = ({ contract, source, status, retiredBy, changedAt }: ListedTool): object => ({
  tool_id: contract.toolId,
  provider_id: contract.providerId,
  status,
  ...(retiredBy === null ? {} : { retired_by: retiredBy }),
  source,
  version: contract.version,
  schema_hash: contract.schemaHash,
  name: contract.name,
  changed_at: changedAt.toISOString(),
});

export function listedProposal(proposal: StoredProposal, live: ToolContract | undefined): object {
  return {
    tool_id: proposal.toolId,
    provider_id: proposal.providerId,
    status: proposal.status,
    source: proposal.source,
    schema_hash: proposal.schemaHash,
    name: proposal.manifest.name,
    proposed_at: proposal.proposedAt.toISOString(),
    ...(live === undefined ? {} : { replaces_version: live.version }),
    ...verdictMembers(live === undefined ? undefined : judgeReplacement(live, proposal.manifest)),
  };
}
