/** Codes of RFC 6749 §5.2, RFC 8707 §2 and RFC 8628 §3.5. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type';

/** A refusal in the protocol's own words. It never tells whether a client, a token or an account exists. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';

  constructor(
    readonly code: OAuthErrorCode,
    /** For people: what to do next. */
    readonly description: string,
  ) {
    super(`${code}: ${description}`);
  }
}
