import type { LoadAccount } from '../load.js';
import type { Stand } from '../stand.js';
import { caprouter } from '../caprouter.js';

const TIMEOUT_MS = 60_000;

/** A program that acts for an account by access tokens. */
export interface OAuthProgram {
  readonly accountId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The answer to a program that asked for a token. */
export interface GivenToken {
  /** Absent where the connection broke. */
  readonly status?: number;
  readonly token?: string;
  /** The id of the key that signed it. */
  readonly keyId?: string;
}

export async function registerProgram(stand: Stand, { accountId }: LoadAccount): Promise<OAuthProgram> {
  const env = { CAPROUTER_GATEWAY_URL: stand.origin, CAPROUTER_API_KEY: stand.services.accounts.admin_key };
  const made = await caprouter(['oauth-clients', 'register', accountId, 'nightly batch', 'call', 'read'], env);
  return { accountId, clientId: String(made['client_id']), clientSecret: String(made['client_secret']) };
}

/** Never rejects. */
export async function askForToken(origin: string, { clientId, clientSecret }: OAuthProgram): Promise<GivenToken> {
  try {
    const answer = await fetch(`${origin}/api/v1/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { access_token: token } = (await answer.json()) as { access_token?: string };
    if (token === undefined) return { status: answer.status };
    const header = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
    return { status: answer.status, token, keyId: (JSON.parse(header) as { kid: string }).kid };
  } catch {
    return {};
  }
}
