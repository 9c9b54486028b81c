export interface ClientCredentials {
  readonly tokenUrl: string;
  readonly clientId: string;
  clientSecret(): string;
  readonly scope?: string;
}

const REQUEST_TIMEOUT_MS = 10_000;
/** Share of its life after which a token is replaced, so that a broker gets none that is about to expire. */
const USED_SHARE = 0.8;
const DEFAULT_LIFE_SECONDS = 60;
const MAX_REASON_LENGTH = 200;

/**
 * Tokens by the client credentials grant (RFC 6749 §4.4), each kept for most of its life. The client authenticates by HTTP Basic.
 * The result rejects with an error of the name `LoginRefused` where the endpoint refuses the client.
 */
export function clientCredentials(client: ClientCredentials): () => Promise<string> {
  let kept: { readonly token: Promise<string>; untilMs: number } | undefined;
  return () => {
    if (kept !== undefined && performance.now() < kept.untilMs) return kept.token;
    const asked = { token: Promise.resolve(''), untilMs: Number.POSITIVE_INFINITY };
    asked.token = ask(client).then(
      ({ token, lifeSeconds }) => {
        asked.untilMs = performance.now() + lifeSeconds * USED_SHARE * 1_000;
        return token;
      },
      (error: unknown) => {
        if (kept === asked) kept = undefined;
        throw error;
      },
    );
    kept = asked;
    return asked.token;
  };
}

async function ask({ tokenUrl, clientId, clientSecret, scope }: ClientCredentials) {
  const user = [clientId, clientSecret()].map(encodeURIComponent).join(':');
  const answer = await fetch(tokenUrl, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(user).toString('base64')}`, accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const body = await answer.text();
  if (!answer.ok) {
    const error = new Error(`${tokenUrl} answers ${answer.status}: ${body.slice(0, MAX_REASON_LENGTH)}`);
    if (answer.status < 500) error.name = 'LoginRefused';
    throw error;
  }
  const { access_token: token, expires_in: life } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  if (typeof token !== 'string' || token === '') throw new Error(`${tokenUrl} gives no access_token`);
  return { token, lifeSeconds: typeof life === 'number' ? life : DEFAULT_LIFE_SECONDS };
}
