import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import * as oauth from 'oauth4webapi';
import type { ProviderAuth } from '@capability-router/contracts';
import type { EgressClient } from '../egress/index.js';
import type { ProviderCredential } from './credential-source.js';

export type ClientCredentialsAuth = Extract<ProviderAuth, { kind: 'oauth2_client_credentials' }>;

/** Tokens that are kept. */
const MAX_TOKENS = 5_000;
/** Milliseconds for one exchange with a token endpoint; it serves many calls, so it has a time of its own. */
const TOKEN_TIMEOUT_MS = 10_000;
/** Bytes of a token answer. */
const MAX_TOKEN_ANSWER_BYTES = 65_536;
/** Seconds that a token is used when the answer does not say. */
const DEFAULT_LIFETIME_SECONDS = 300;
/** Seconds. Longer lifetimes are not believed. */
const MAX_LIFETIME_SECONDS = 86_400;
/** Part of its lifetime for which a token is used: it must not run out on its way. */
const USED_PART = 0.9;

/** The token endpoint said no, or something that is no token. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';

  constructor(
    readonly status: number | undefined,
    options: ErrorOptions,
  ) {
    super('the token endpoint gave no token', options);
  }
}

interface KeptToken {
  readonly token: string;
  /** The version of the credential that it was got with. */
  readonly version: string;
}

/** Access tokens of the client credentials grant (RFC 6749, 4.4), kept until they run out; one request at a time for each. */
export class AccessTokens {
  private readonly tokens = new LRUCache<string, KeptToken>({ max: MAX_TOKENS });
  private readonly underWay = new Map<string, Promise<string>>();

  /** The token and whether it was kept from before. Throws `TokenRefusedError` and what `EgressClient.fetch` throws. */
  async get(
    providerId: string,
    auth: ClientCredentialsAuth,
    credential: ProviderCredential,
    egress: EgressClient,
  ): Promise<{ readonly token: string; readonly kept: boolean }> {
    const key = keyOf(providerId, auth, credential);
    const known = this.tokens.get(key);
    if (known !== undefined) return { token: known.token, kept: true };
    return { token: await this.requestOnce(key, auth, credential, egress), kept: false };
  }

  /** The provider did not accept this token: it is not used again. */
  forget(providerId: string, auth: ClientCredentialsAuth, credential: ProviderCredential, token: string): void {
    const key = keyOf(providerId, auth, credential);
    if (this.tokens.peek(key)?.token === token) this.tokens.delete(key);
  }

  /** A credential is not used any more, and neither is what was got with it. */
  forgetAllOf(version: string): void {
    for (const [key, kept] of this.tokens.entries()) if (kept.version === version) this.tokens.delete(key);
  }

  private requestOnce(
    key: string,
    auth: ClientCredentialsAuth,
    credential: ProviderCredential,
    egress: EgressClient,
  ): Promise<string> {
    const known = this.underWay.get(key);
    if (known !== undefined) return known;
    const request = requestToken(auth, credential, egress)
      .then(({ token, lifetimeMs }) => {
        this.tokens.set(key, { token, version: credential.version }, { ttl: lifetimeMs });
        return token;
      })
      .finally(() => this.underWay.delete(key));
    this.underWay.set(key, request);
    return request;
  }
}

async function requestToken(
  { tokenUrl, scopes }: ClientCredentialsAuth,
  { fields }: ProviderCredential,
  egress: EgressClient,
): Promise<{ token: string; lifetimeMs: number }> {
  const server: oauth.AuthorizationServer = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl };
  const client: oauth.Client = { client_id: fields['client_id'] ?? '' };
  try {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      basicAuthentication(fields['client_secret'] ?? ''),
      scopes.length === 0 ? {} : { scope: scopes.join(' ') },
      {
        // Plain http is the guard's to refuse.
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: (url: string, init: unknown) =>
          egress.fetch(url, init as RequestInit, MAX_TOKEN_ANSWER_BYTES),
        signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
      },
    );
    const answer = await oauth.processClientCredentialsResponse(server, client, response);
    const seconds = Math.min(answer.expires_in ?? DEFAULT_LIFETIME_SECONDS, MAX_LIFETIME_SECONDS);
    return { token: answer.access_token, lifetimeMs: Math.max(1, Math.floor(seconds * 1_000 * USED_PART)) };
  } catch (cause) {
    if (cause instanceof oauth.ResponseBodyError || cause instanceof oauth.WWWAuthenticateChallengeError) {
      throw new TokenRefusedError(cause.status, { cause });
    }
    if (cause instanceof oauth.OperationProcessingError) {
      throw new TokenRefusedError(cause.cause instanceof Response ? cause.cause.status : undefined, { cause });
    }
    throw cause;
  }
}

/**
 * `client_secret_basic` of RFC 6749, 2.3.1, escaping no more than a form has to: many servers do not unescape, and secrets
 * are full of `-`, `_` and `.`, which the library's own escapes.
 */
function basicAuthentication(secret: string): oauth.ClientAuth {
  return (_server, client, _body, headers) => {
    headers.set('authorization', `Basic ${basicPair(client.client_id, secret)}`);
  };
}

export function basicPair(clientId: string, secret: string): string {
  const escaped = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');
  return Buffer.from(`${escaped(clientId)}:${escaped(secret)}`).toString('base64');
}

function keyOf(providerId: string, auth: ClientCredentialsAuth, credential: ProviderCredential): string {
  const parts = [providerId, auth.tokenUrl, auth.scopes, credential.version, credential.fields['client_id']];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
