import { TOKEN_EXCHANGE_GRANT } from '@capability-router/contracts';
import { CONFIG } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { OAuthClientRecord } from '../../oauth-clients/oauth-client.entity.js';
import { resourceOf, type TokenSettings } from '../../signing-keys/token-settings.js';
import { AccessTokens } from '../access-tokens.js';
import type { Form } from '../form.js';
import { tokenAnswer, type Grant, type TokenAnswer } from '../grant.js';
import { OAuthError } from '../oauth-error.js';
import { requestedScopes, requestedResource } from '../requested-access.js';
import type { LiveToken } from '../verified-token.js';
import { delegable } from './narrowed.js';
import { requestedDelegation } from './requested-delegation.js';
import { toldConstraints, type ToldConstraints } from './told-constraints.js';

/** RFC 8693 §3: the one kind of token that is taken and given. */
const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

/** RFC 8693 §2.2.1, and what the token is held to. */
interface ExchangeAnswer extends TokenAnswer {
  readonly issued_token_type: typeof ACCESS_TOKEN_TYPE;
  readonly constraints: ToldConstraints;
}

/** RFC 8693: a client has a token of its account exchanged for one that may do less, which it hands to an agent. */
@Injectable()
export class TokenExchangeGrant implements Grant {
  readonly grantType = TOKEN_EXCHANGE_GRANT;

  constructor(
    @Inject(CONFIG) private readonly settings: TokenSettings,
    @Inject(AccessTokens) private readonly tokens: AccessTokens,
  ) {}

  async answer(form: Form, client: OAuthClientRecord): Promise<ExchangeAnswer> {
    requireExchange(form);
    requestedResource(form, this.settings);
    this.requireAudience(form);
    const requested = requestedDelegation(form);
    const parent = await this.parentOf(form, client);
    const allowed = delegable(parent.scopes, client.scopes);
    const scopes = requestedScopes(form, allowed);
    if (scopes.length === 0) throw new OAuthError('invalid_scope', 'The token has no scope that can be passed on.');
    const { constraints, maxCredits, lifetimeSeconds } = requested;
    const delegation = { parentId: parent.tokenId, constraints, maxMicro: maxCredits?.toString() ?? null };
    const life = { lifetimeSeconds, endsAtMs: parent.expiresAt.getTime() };
    const command = { clientId: client.clientId, accountId: parent.accountId, scopes, life, delegation };
    const issued = await this.tokens.issue(command);
    if (issued === undefined) {
      throw new OAuthError('invalid_request', 'Use the tokens that were issued until they end, or revoke them.');
    }
    return { ...tokenAnswer(issued), issued_token_type: ACCESS_TOKEN_TYPE, constraints: toldConstraints(requested) };
  }

  /** Unknown, ended, of another account and delegated before are refused alike. */
  private async parentOf(form: Form, { accountId }: OAuthClientRecord): Promise<LiveToken> {
    const live = await this.tokens.live(await this.tokens.check(form.need('subject_token')));
    if (live !== undefined && live.accountId === accountId && live.delegation === undefined) return live;
    throw new OAuthError(
      'invalid_request',
      'The subject_token is no access token of the account of this client that may be exchanged now.',
    );
  }

  private requireAudience(form: Form): void {
    const resource = resourceOf(this.settings.publicUrl);
    const audience = form.get('audience');
    if (audience === undefined || audience === resource) return;
    throw new OAuthError('invalid_target', `Tokens are issued for ${resource} alone.`);
  }
}

/** Throws `OAuthError` for what RFC 8693 allows and this server does not do. */
function requireExchange(form: Form): void {
  if (form.need('subject_token_type') !== ACCESS_TOKEN_TYPE) {
    throw new OAuthError('invalid_request', `The subject_token_type must be ${ACCESS_TOKEN_TYPE}.`);
  }
  if ((form.get('requested_token_type') ?? ACCESS_TOKEN_TYPE) !== ACCESS_TOKEN_TYPE) {
    throw new OAuthError('invalid_request', `The requested_token_type can only be ${ACCESS_TOKEN_TYPE}.`);
  }
  if (form.get('actor_token') !== undefined || form.get('actor_token_type') !== undefined) {
    throw new OAuthError('invalid_request', 'Send no actor_token: the client that asks is the actor.');
  }
}
