export type { Candidate, ExclusionReason } from './domain/candidate.js';
export { isDelegated } from './domain/exclude.js';
export { decideRoute, isAsked, MAX_CANDIDATES } from './domain/decide-route.js';
export { defaultRoutingPolicy, verifiedOnly } from './domain/routing-policy.js';
export type { Preference, RoutingPolicy } from './domain/routing-policy.js';
export type { RankedCandidate, RoutingDecision } from './domain/routing-decision.js';
export type { RoutingRequest } from './domain/routing-request.js';
