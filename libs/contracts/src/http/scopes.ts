/**
 * The rights of a key. `call` finds, calls and pays for tools and looks up its own executions; `read` reads the audit, the
 * ledger and the credits; `manage` changes what belongs to the account; `admin` runs the deployment. None includes another.
 */
export const apiKeyScopes = ['call', 'read', 'manage', 'admin'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** The scopes of a key that is made without `scopes`. */
export const DEFAULT_SCOPES: readonly ApiKeyScope[] = ['call', 'read'];

/** The scopes that a client of OAuth can have: no token runs the deployment. */
export const oauthScopes = ['call', 'read', 'manage'] as const satisfies readonly ApiKeyScope[];
export type OAuthScope = (typeof oauthScopes)[number];

/** RFC 8628: a person consents on another device. */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Where a person consents to it, at the origin root. */
export const DEVICE_PAGE_PATH = '/device';
/** RFC 8693: a token of the account is exchanged for one that may do less. */
export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** The grants that a client can be registered for. */
export const oauthGrantTypes = [
  'client_credentials',
  'refresh_token',
  DEVICE_CODE_GRANT,
  TOKEN_EXCHANGE_GRANT,
] as const;
export type OAuthGrantType = (typeof oauthGrantTypes)[number];

export const isOAuthScope = (text: string): text is OAuthScope => (oauthScopes as readonly string[]).includes(text);
