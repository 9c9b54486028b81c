import { formatCredits, type Credits } from '@capability-router/kernel';
import type { Candidate, ExclusionReason } from './candidate.js';
import { draw } from './draw.js';
import type { RoutingPolicy } from './routing-policy.js';
import type { RoutingRequest } from './routing-request.js';
import { successRate } from './score.js';

export interface Exclusion {
  readonly toolId: string;
  readonly reason: ExclusionReason;
  /** The reason in a sentence, with the figures. */
  readonly explanation: string;
}

/** One that is not left out, with its price. */
export interface Admitted {
  readonly candidate: Candidate;
  readonly upperPrice: Credits;
}

/**
 * The first reason that holds, in this order. Money comes last, so that whoever is told `over_budget` or
 * `insufficient_credits` would be served with more of it.
 */
export function admit(
  candidate: Candidate,
  request: RoutingRequest,
  policy: RoutingPolicy,
): { readonly admitted: Admitted } | { readonly exclusion: Exclusion } {
  const { toolId, upperPrice } = candidate;
  const because = (reason: ExclusionReason, explanation: string) => ({ exclusion: { toolId, reason, explanation } });
  const unfit = unfitness(candidate, request, policy);
  if (unfit !== undefined) return because(...unfit);
  if (upperPrice === undefined) return because('price_unproven', 'What it could cost at most is not known.');
  const { maxCredits, availableCredits } = request;
  const price = `It may cost up to ${formatCredits(upperPrice)} credits`;
  if (maxCredits !== undefined && upperPrice > maxCredits) {
    return because('over_budget', `${price}, and the budget is ${formatCredits(maxCredits)}.`);
  }
  if (availableCredits !== undefined && upperPrice > availableCredits) {
    return because('insufficient_credits', `${price}, and the account can spend ${formatCredits(availableCredits)}.`);
  }
  return { admitted: { candidate, upperPrice } };
}

/** Every reason but money. */
function unfitness(
  candidate: Candidate,
  request: RoutingRequest,
  policy: RoutingPolicy,
): [ExclusionReason, string] | undefined {
  const { admittedShare, missingParameters, verification } = candidate;
  if (!candidate.hasBoundContract) {
    const fault =
      candidate.bindingFault ?? 'Its contract is not the one any more that its binding was checked against.';
    return ['contract_changed', fault];
  }
  if (!isDelegated(candidate, request)) {
    return ['delegation', 'The delegation token does not name this tool or its provider.'];
  }
  if (!candidate.isAllowedInRegion) return ['region', "It may not be called from the account's region."];
  if (missingParameters.length > 0) {
    return ['missing_parameter', `It needs ${missingParameters.join(', ')}, which the parameters do not give.`];
  }
  if (policy.refusedVerifications.includes(verification)) {
    return ['unverified', `Its verification is "${verification}".`];
  }
  const rate = successRate(candidate, policy);
  if (rate < policy.minSuccessRate && candidate.isTakenBack !== true) {
    const { successes, failures } = candidate;
    const counted = `${successes} of ${successes + failures} calls succeeded, which counts as ${percent(rate)}`;
    return ['quality_floor', `${counted}; at least ${percent(policy.minSuccessRate)} are needed.`];
  }
  return isHeldBack(candidate, request)
    ? ['breaker_open', `It has failed too often; ${percent(admittedShare)} of the requests may reach it for now.`]
    : undefined;
}

/** May the delegation token of the request use it? */
export function isDelegated({ toolId, providerId }: Candidate, { delegation }: RoutingRequest): boolean {
  return (delegation?.toolIds?.includes(toolId) ?? true) && (delegation?.providerIds?.includes(providerId) ?? true);
}

/** Drawn for each candidate by itself, so that those who are taken back at one time do not all serve the same requests. */
const isHeldBack = ({ toolId, admittedShare }: Candidate, { seed }: RoutingRequest): boolean =>
  admittedShare < 1 && draw(`${seed}:${toolId}`) >= admittedShare;

/** `96.7 %` */
export const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
