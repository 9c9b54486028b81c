import type { ProviderAuth, ProviderDefinition } from '@capability-router/contracts';
import { failure, type ProviderFailure } from '../provider-adapter.js';
import { credentialFields } from './credential-fields.js';

/** An account sets its own credentials for a provider at this path. */
export const ACCOUNT_CREDENTIALS_PATH = '/api/v1/auth/provider-credentials';

/** Nothing was sent: whoever has to set the credentials has not. Says who, and where. */
export function signInRequired(
  { providerId, credential }: Pick<ProviderDefinition, 'providerId' | 'credential'>,
  auth: ProviderAuth,
): ProviderFailure {
  const fields = credentialFields[auth.kind].join(', ');
  const message =
    credential === 'account'
      ? `The provider "${providerId}" is called with your own credentials, and you have set none. ` +
        `PUT them (${fields}) to ${ACCOUNT_CREDENTIALS_PATH}/${providerId}, then call again.`
      : `No credentials for the provider "${providerId}" are set in this deployment. Ask its operator, or choose another tool.`;
  return failure('signin_required', message, { retryable: false });
}
