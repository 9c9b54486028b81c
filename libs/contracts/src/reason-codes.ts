/** `reason_code` of an execution outcome: the specification's fourteen, and two of ours for refusals over money. */
export const reasonCodes = [
  'result.valid',
  'result.partial_success',
  'result.empty',
  'provider.error',
  'provider.http_error',
  'provider.rate_limited',
  'provider.auth_or_permission',
  'transport.timeout',
  'transport.no_response',
  'transport.execution_failed',
  'validation_error',
  'tool_unavailable',
  'region_restricted',
  'oauth_signin_required',
  'insufficient_credits',
  'budget_exceeded',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

export const outcomes = [
  'success',
  'partial_success',
  'empty_result',
  'provider_failure',
  'transport_failure',
  'refused',
  'interrupted',
] as const;
export type Outcome = (typeof outcomes)[number];

export const chargeOutcomes = ['charged', 'included', 'failed_not_charged', 'failed_charged_review'] as const;
export type ChargeOutcome = (typeof chargeOutcomes)[number];

export const usageEventTypes = ['search', 'search_by_ids', 'tool_execute', 'capabilities_query', 'model_call'] as const;
export type UsageEventType = (typeof usageEventTypes)[number];

export const credentialTypes = ['api_key', 'access_token', 'delegation_token'] as const;
export type CredentialType = (typeof credentialTypes)[number];
