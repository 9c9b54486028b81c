import { CONFIG } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { OAuthClientRecord } from '../oauth-clients/oauth-client.entity.js';
import type { TokenSettings } from '../signing-keys/token-settings.js';
import { AccessTokens } from './access-tokens.js';
import type { Form } from './form.js';
import { tokenAnswer, type Grant, type TokenAnswer } from './grant.js';
import { OAuthError } from './oauth-error.js';
import { requestedScopes, requestedResource } from './requested-access.js';

/** RFC 6749 §4.4: a client acts by itself, for the account that it was registered for. */
@Injectable()
export class ClientCredentialsGrant implements Grant {
  readonly grantType = 'client_credentials';

  constructor(
    @Inject(CONFIG) private readonly settings: TokenSettings,
    @Inject(AccessTokens) private readonly tokens: AccessTokens,
  ) {}

  async answer(form: Form, { clientId, accountId, scopes: allowed }: OAuthClientRecord): Promise<TokenAnswer> {
    const scopes = requestedScopes(form, allowed);
    requestedResource(form, this.settings);
    const issued = await this.tokens.issue({ clientId, accountId, scopes });
    if (issued === undefined) {
      throw new OAuthError('invalid_request', 'Use the tokens that were issued until they end, or revoke them.');
    }
    return tokenAnswer(issued);
  }
}
