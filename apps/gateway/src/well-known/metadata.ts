import { API_PREFIX, MCP_PATH, oauthGrantTypes, oauthScopes } from '@capability-router/contracts';

export const AUTHORIZATION_SERVER_PATH = '/.well-known/oauth-authorization-server';
/** RFC 9728 puts the path of the resource behind it. */
export const PROTECTED_RESOURCE_PATH = `/.well-known/oauth-protected-resource${API_PREFIX}`;

export const MCP_RESOURCE_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;

const clientAuthentication = ['client_secret_basic', 'client_secret_post'] as const;

/** RFC 8414: where tokens are to be had. `publicUrl`: an origin. */
export function authorizationServerMetadata(publicUrl: string) {
  const endpoint = (name: string): string => `${publicUrl}${API_PREFIX}/oauth/${name}`;
  return {
    issuer: publicUrl,
    device_authorization_endpoint: endpoint('device/authorize'),
    token_endpoint: endpoint('token'),
    introspection_endpoint: endpoint('introspect'),
    revocation_endpoint: endpoint('revoke'),
    jwks_uri: endpoint('jwks.json'),
    scopes_supported: oauthScopes,
    // RFC 8414 demands the member, also of a server that has no authorization endpoint.
    response_types_supported: [],
    grant_types_supported: oauthGrantTypes,
    token_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    introspection_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
  } as const;
}

/** RFC 9728: what the tokens are good for, and who gives them: this deployment, and others whom it trusts. */
export const protectedResourceMetadata = (publicUrl: string, externalIssuers: readonly string[]) =>
  ({
    resource: `${publicUrl}${API_PREFIX}`,
    authorization_servers: [publicUrl, ...externalIssuers],
    jwks_uri: `${publicUrl}${API_PREFIX}/oauth/jwks.json`,
    scopes_supported: oauthScopes,
    bearer_methods_supported: ['header'],
  }) as const;

/** The same tokens are good for it; clients compare the resource with the address that they use. */
export const mcpResourceMetadata = (publicUrl: string, externalIssuers: readonly string[]) =>
  ({ ...protectedResourceMetadata(publicUrl, externalIssuers), resource: `${publicUrl}${MCP_PATH}` }) as const;

/** RFC 6750 and 9728: a client finds by it where to get a token. */
export const challengeOf = (publicUrl: string): string =>
  `Bearer resource_metadata="${publicUrl}${PROTECTED_RESOURCE_PATH}"`;

export const mcpChallengeOf = (publicUrl: string): string =>
  `Bearer resource_metadata="${publicUrl}${MCP_RESOURCE_PATH}"`;
