import type { ApiKeyScope } from '@capability-router/contracts';
import { Scopes } from './scopes.decorator.js';

/** Body of `POST /admin/v1/api-keys/{id}/scopes`. */
export class GrantScopesRequest {
  /** The key gets these beside the scopes that it has. */
  @Scopes()
  readonly scopes: readonly ApiKeyScope[];
}
