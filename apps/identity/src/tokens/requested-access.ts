import { isOAuthScope } from '@capability-router/contracts';
import { resourcesOf, type TokenSettings } from '../signing-keys/token-settings.js';
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

/** Throws `OAuthError` where the form names a resource that tokens are not good for (RFC 8707). */
export function requireResource(form: Form, { publicUrl }: Pick<TokenSettings, 'publicUrl'>): void {
  const resource = form.get('resource');
  const resources = resourcesOf(publicUrl);
  if (resource === undefined || resources.includes(resource)) return;
  throw new OAuthError('invalid_target', `Tokens are issued for ${resources.join(' and ')} alone.`);
}
