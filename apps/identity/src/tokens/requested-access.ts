import { API_PREFIX, isOAuthScope } from '@capability-router/contracts';
import { resourcePathOf, resourcesOf, type ResourcePath, type TokenSettings } from '../signing-keys/token-settings.js';
import type { Form } from './form.js';
import { OAuthError } from './oauth-error.js';

/** The scopes that are asked for, else all that may be had. Throws `OAuthError` for one that may not. */
export function requestedScopes(form: Form, allowed: readonly string[]): readonly string[] {
  const asked = form.get('scope');
  if (asked === undefined) return allowed;
  const scopes = [...new Set(asked.split(' ').filter((scope) => scope !== ''))];
  const unknown = scopes.find((scope) => !isOAuthScope(scope) || !allowed.includes(scope));
  if (scopes.length === 0 || unknown !== undefined) {
    throw new OAuthError('invalid_scope', `The client may ask for: ${allowed.join(' ')}.`);
  }
  return scopes;
}

/** The resource that the form names (RFC 8707), else the interface. Throws `OAuthError` for one that tokens are not good for. */
export function requestedResource(form: Form, { publicUrl }: Pick<TokenSettings, 'publicUrl'>): ResourcePath {
  const resource = form.get('resource');
  if (resource === undefined) return API_PREFIX;
  const path = resourcePathOf(publicUrl, resource);
  if (path !== undefined) return path;
  throw new OAuthError('invalid_target', `Tokens are issued for ${resourcesOf(publicUrl).join(' and ')} alone.`);
}
