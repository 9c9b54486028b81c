import type { CapabilityContract } from '@capability-router/contracts';
import type { BindingVerdict } from '../bindings/judge-bindings.js';
import type { PublishedContract } from './capability-versions.js';
import { diffCapabilities } from './domain/diff-capabilities.js';

/** Versions that an answer lists, the newest. */
const MAX_LISTED_VERSIONS = 100;

/** A capability as administrators see it. `versions`: the oldest first, one at least. */
export function capabilityAnswer(
  versions: readonly PublishedContract[],
  bindings: readonly BindingVerdict[],
  managed: { readonly source: string; readonly retired: boolean } | undefined,
): object {
  const from = Math.max(0, versions.length - MAX_LISTED_VERSIONS);
  const listed = versions.slice(from).map((version, at) => listedVersion(version, versions[from + at - 1]?.contract));
  return {
    ...versions.slice(-1).map(({ contract }) => contractAnswer(contract))[0],
    ...(managed === undefined ? {} : { status: managed.retired ? 'retired' : 'published', source: managed.source }),
    bindings: bindings.map(bindingAnswer),
    versions: listed.reverse(),
  };
}

const bindingAnswer = ({ toolId, status, toolVersion, faults }: BindingVerdict): object => ({
  tool_id: toolId,
  status,
  ...(toolVersion === undefined ? {} : { tool_version: toolVersion }),
  ...(faults.length === 0 ? {} : { faults: faults.map(({ path, msg }) => `${path.join('.')}: ${msg}`) }),
});

function listedVersion({ contract, publishedAt }: PublishedContract, before: CapabilityContract | undefined): object {
  return {
    contract_version: contract.contractVersion,
    schema_hash: contract.schemaHash,
    published_at: publishedAt.toISOString(),
    ...(before === undefined ? {} : { breaking: diffCapabilities(before, contract).breaking }),
  };
}

export const versionAnswer = ({ contract, publishedAt }: PublishedContract): object => ({
  ...contractAnswer(contract),
  published_at: publishedAt.toISOString(),
});

/** With the mappings of its candidates, which callers are not shown. */
function contractAnswer(contract: CapabilityContract): object {
  const { candidates, effect, sampleParameters, tags } = contract;
  return {
    capability_id: contract.capabilityId,
    contract_version: contract.contractVersion,
    schema_hash: contract.schemaHash,
    name: contract.name,
    description: contract.description,
    parameters_schema: contract.parametersSchema,
    result_schema: contract.resultSchema,
    candidates: candidates.map(({ toolId, sampleResult, ...mappings }) => ({
      tool_id: toolId,
      ...mappings,
      ...(sampleResult === undefined ? {} : { sample_result: sampleResult }),
    })),
    ...(effect === undefined ? {} : { effect }),
    ...(sampleParameters === undefined ? {} : { sample_parameters: sampleParameters }),
    ...(tags === undefined ? {} : { tags }),
  };
}
