import { timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { hashSecretText } from '../api-keys/hash-secret-text.js';
import { isClientId } from '../oauth-clients/client-id.js';
import type { OAuthClientRecord } from '../oauth-clients/oauth-client.entity.js';
import { oauthClientsIn } from '../oauth-clients/oauth-clients-in.js';
import type { Form } from './form.js';
import { OAuthError } from './oauth-error.js';

const basicPattern = /^Basic +([A-Za-z0-9+/]+=*)$/i;

/**
 * The client that sends the request: by its secret in `Authorization: Basic` or in the form, and not in both; a public one
 * by its id in the form alone. Unknown, revoked and wrong are refused alike. Throws `OAuthError`.
 */
export async function authenticateClient(
  pool: pg.Pool,
  form: Form,
  authorization: string | undefined,
): Promise<OAuthClientRecord> {
  const { clientId, secret } = authorization === undefined ? inForm(form) : inHeader(form, authorization);
  const clients = await oauthClientsIn(pool);
  const client = isClientId(clientId) ? await clients.findOneBy({ clientId }) : null;
  // Hashes of equal length are compared, whether there is a client or not.
  const hash = hashSecretText(secret ?? '');
  const isSecret = timingSafeEqual(hash, client?.secretHash ?? Buffer.alloc(hash.length));
  const known = client?.secretHash === null ? secret === undefined : secret !== undefined && isSecret;
  if (client === null || !known || client.revokedAt !== null) throw refused();
  return client;
}

/** As above, but for those who can prove who they are: a public client is refused as one that is unknown. */
export async function authenticateConfidentialClient(
  ...request: Parameters<typeof authenticateClient>
): Promise<OAuthClientRecord> {
  const client = await authenticateClient(...request);
  if (client.secretHash === null) throw refused();
  return client;
}

/** Throws `OAuthError` where the operator did not register the client for the grant. */
export function requireGrantType({ grantTypes }: Pick<OAuthClientRecord, 'grantTypes'>, grantType: string): void {
  if (grantTypes.includes(grantType)) return;
  throw new OAuthError('unauthorized_client', `The client is registered for: ${grantTypes.join(', ')}.`);
}

interface Shown {
  readonly clientId: string;
  /** Undefined where none is shown. */
  readonly secret: string | undefined;
}

function inForm(form: Form): Shown {
  const clientId = form.get('client_id');
  if (clientId === undefined) throw refused();
  return { clientId, secret: form.get('client_secret') };
}

/** Both parts are form-encoded before they are joined: RFC 6749 §2.3.1. */
function inHeader(form: Form, authorization: string): Shown {
  if (form.get('client_secret') !== undefined) {
    throw new OAuthError('invalid_request', 'Send the secret of the client in one place: the header or the form.');
  }
  const encoded = basicPattern.exec(authorization)?.[1];
  if (encoded === undefined) throw refused();
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) throw refused();
  const clientId = decoded(text.slice(0, colon));
  const named = form.get('client_id');
  if (named !== undefined && named !== clientId) throw refused();
  return { clientId, secret: decoded(text.slice(colon + 1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw refused();
  }
}

const refused = (): OAuthError =>
  new OAuthError('invalid_client', 'The client is unknown, or its secret is not the one that was issued.');
