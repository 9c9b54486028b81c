import type { AccountAssertion } from '@capability-router/contracts';
import { isJsonObject } from '@capability-router/kernel';
import { notDelegated, requireDelegated } from '@capability-router/service-kit';
import { isAsked, isDelegated, type Candidate, type RoutingRequest } from '../routing/index.js';

/**
 * The body without what a delegation token demands that it names beside what a query has: the model. A query with any
 * other credential has no such member. Throws 403 where the token is for another model or run.
 */
export function requireDelegatedQuery(account: AccountAssertion, body: unknown): unknown {
  if (account.delegation === undefined || !isJsonObject(body)) return body;
  requireDelegated(account, { model: body['model'], runId: body['run_id'] });
  if (account.delegation.model === undefined) return body;
  const { model: _model, ...query } = body;
  return query;
}

/** Throws 403 where the delegation token names none of the candidates that are asked for. */
export function requireDelegatedCandidate(candidates: readonly Candidate[], request: RoutingRequest): void {
  const { delegation } = request;
  if (delegation === undefined) return;
  const asked = candidates.filter((candidate) => isAsked(candidate, request));
  if (asked.length === 0 || asked.some((candidate) => isDelegated(candidate, request))) return;
  const { toolIds } = delegation;
  const named = toolIds === undefined || asked.some(({ toolId }) => toolIds.includes(toolId));
  throw notDelegated(named ? 'provider_ids' : 'tool_ids');
}
