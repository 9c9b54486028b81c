import type { ReasonCode } from '@capability-router/contracts';
import type { ProviderFault } from '@capability-router/provider-kit';

/** The one reason code that each way to fail of a provider call is. `docs/reason-codes.md` is generated from it. */
export const reasonOfFault = {
  timeout: 'transport.timeout',
  no_response: 'transport.no_response',
  execution_failed: 'transport.execution_failed',
  provider_error: 'provider.error',
  http_error: 'provider.http_error',
  rate_limited: 'provider.rate_limited',
  auth_or_permission: 'provider.auth_or_permission',
  unavailable: 'tool_unavailable',
  signin_required: 'oauth_signin_required',
  invalid_parameters: 'validation_error',
} as const satisfies Readonly<Record<ProviderFault, ReasonCode>>;
