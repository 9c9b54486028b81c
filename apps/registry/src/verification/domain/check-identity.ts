import type { ToolContract } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { failed, passed, type Finding } from './finding.js';
import { isAtOrBelow, reachOf } from './reach.js';

/** The answer of an origin where a host says whose it is. */
export type HostProof = { readonly providerIds: readonly string[] } | { readonly problem: string };

/** Origins of the binding that are below no domain which the operator has declared: they have to say it themselves. */
export function originsToProve({ binding, provider }: Pick<ToolContract, 'binding' | 'provider'>): string[] {
  const domains = provider.verification?.domains ?? [];
  const unknown = reachOf(binding).filter(({ host }) => !domains.some((domain) => isAtOrBelow(host, domain)));
  return [...new Set(unknown.map(({ origin }) => origin))];
}

/**
 * Passes where every origin of the binding is at or below a domain of the provider's record, or answers with the
 * provider's id where hosts say whose they are. Built-in tools are the deployment's own.
 */
export function checkIdentity(
  tool: Pick<ToolContract, 'binding' | 'provider'>,
  proofs: ReadonlyMap<string, HostProof>,
): Finding {
  const name = 'provider_identity';
  const { binding, provider } = tool;
  if (binding.kind === 'builtin') return passed(name, { proof: "the deployment's own build" });
  const reached = [...new Set(reachOf(binding).map(({ origin }) => origin))];
  if (reached.length === 0) return passed(name, { proof: "a command of the operator's configuration" });
  const unproved = originsToProve(tool);
  const evidence: JsonObject = {};
  let fault: string | undefined;
  for (const origin of reached) {
    const proof = unproved.includes(origin) ? proofs.get(origin) : undefined;
    if (!unproved.includes(origin)) {
      evidence[origin] = 'a declared domain';
    } else if (proof !== undefined && 'providerIds' in proof && proof.providerIds.includes(provider.providerId)) {
      evidence[origin] = 'its well-known file';
    } else {
      const problem = proof === undefined ? 'it was not asked' : proofProblem(proof, provider.providerId);
      evidence[origin] = problem;
      fault ??= `${origin} has not proved that it is of ${provider.providerId}: ${problem}.`;
    }
  }
  return fault === undefined ? passed(name, evidence) : failed(name, fault, evidence);
}

const proofProblem = (proof: HostProof, providerId: string): string =>
  'problem' in proof ? proof.problem : `its well-known file does not name ${providerId}`;
