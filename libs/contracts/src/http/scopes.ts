/**
 * The rights of a key. `call` finds, calls and pays for tools and looks up its own executions; `read` reads the audit, the
 * ledger and the credits; `manage` changes what belongs to the account; `admin` runs the deployment. None includes another.
 */
export const apiKeyScopes = ['call', 'read', 'manage', 'admin'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** The scopes of a key that is made without `scopes`. */
export const DEFAULT_SCOPES: readonly ApiKeyScope[] = ['call', 'read'];
