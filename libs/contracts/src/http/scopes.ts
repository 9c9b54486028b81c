/**
 * What a key may do. `call` finds, calls and pays for tools and looks up its own executions; `read` reads the audit, the
 * ledger and the credits; `manage` changes what belongs to the account; `admin` runs the deployment. None includes another.
 */
export const apiKeyScopes = ['call', 'read', 'manage', 'admin'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** What a key has that is made without `scopes`. */
export const DEFAULT_SCOPES: readonly ApiKeyScope[] = ['call', 'read'];
