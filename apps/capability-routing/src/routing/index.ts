export type { Candidate, ExclusionReason, VerificationStatus } from './domain/candidate.js';
export { decideRoute, MAX_CANDIDATES } from './domain/decide-route.js';
export { defaultRoutingPolicy, verifiedOnly } from './domain/routing-policy.js';
export type { Preference, RoutingPolicy } from './domain/routing-policy.js';
export type { RankedCandidate, RoutingDecision } from './domain/routing-decision.js';
export type { RoutingRequest } from './domain/routing-request.js';
