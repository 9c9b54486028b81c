import type { AccountAssertion, DelegationConstraintName } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';

/** A request as it names what a delegation token can be constrained to. */
export interface DelegatedRequest {
  readonly model?: unknown;
  readonly runId?: unknown;
  readonly toolId?: unknown;
  readonly providerId?: unknown;
}

const wanted: Readonly<Record<DelegationConstraintName, string>> = {
  model: 'Name the "model" that the delegation token was given for',
  run_id: 'Name the "run_id" that the delegation token was given for',
  tool_ids: 'Use a tool that the delegation token names',
  provider_ids: 'Use a provider that the delegation token names',
};

/** The refusal of a request that a delegation token does not permit: 403, which names the constraint. */
export const notDelegated = (constraint: DelegationConstraintName): AppError =>
  new AppError('delegation_constraint', `${wanted[constraint]}, or ask whoever gave it for another.`, { constraint });

/**
 * Throws `delegation_constraint` for a request outside of what the credential was given for. A route passes the members
 * that it can hold a request to, undefined where the request does not name one: then a constraint on it is broken.
 */
export function requireDelegated(
  { delegation }: Pick<AccountAssertion, 'delegation'>,
  request: DelegatedRequest,
): void {
  if (delegation === undefined) return;
  const { model, runId, toolIds, providerIds } = delegation;
  const breaks = (name: keyof DelegatedRequest, allowed: readonly string[] | undefined): boolean =>
    allowed !== undefined && name in request && !allowed.some((value) => value === request[name]);
  if (breaks('model', model === undefined ? undefined : [model])) throw notDelegated('model');
  if (breaks('runId', runId === undefined ? undefined : [runId])) throw notDelegated('run_id');
  if (breaks('toolId', toolIds)) throw notDelegated('tool_ids');
  if (breaks('providerId', providerIds)) throw notDelegated('provider_ids');
}
