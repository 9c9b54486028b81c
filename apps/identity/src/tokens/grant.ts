import type { OAuthClientRecord } from '../oauth-clients/oauth-client.entity.js';
import type { IssuedToken } from './access-tokens.js';
import type { Form } from './form.js';

/** The answer of the token endpoint: RFC 6749 §5.1. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  /** Separated by spaces. */
  readonly scope: string;
  /** Present where a person consented and the client may refresh. */
  readonly refresh_token?: string;
}

/** One way to get a token. The endpoint has authenticated the client, and knows that it may use this grant. */
export interface Grant {
  /** As `grant_type` names it. */
  readonly grantType: string;
  /** Throws `OAuthError`. */
  answer(form: Form, client: OAuthClientRecord): Promise<TokenAnswer>;
}

export const tokenAnswer = ({ accessToken, expiresInSeconds, scopes }: IssuedToken): TokenAnswer => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: expiresInSeconds,
  scope: scopes.join(' '),
});
