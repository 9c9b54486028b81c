import { ask, form } from './ask.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** The tokens of a program after somebody showed a key on the page and approved. */
export async function signedIn(gateway: string, clientId: string, apiKey: string): Promise<Tokens> {
  const oauth = `${gateway}/api/v1/oauth`;
  const asked = await ask<{ device_code: string; user_code: string }>(
    `${oauth}/device/authorize`,
    form({ client_id: clientId }),
  );
  const page = async (path: string, fields: Readonly<Record<string, string>>): Promise<string> => {
    const answer = await fetch(`${gateway}/device/${path}`, form(fields));
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the page was answered ${answer.status}: ${text}`);
    return text;
  };
  const consent = await page('key', { user_code: asked.user_code, api_key: apiKey });
  const statement = /name="signed_in" value="([^"]+)"/.exec(consent)?.[1] ?? '';
  await page('decision', { signed_in: statement, decision: 'approve' });
  return ask(`${oauth}/token`, form({ client_id: clientId, grant_type: GRANT, device_code: asked.device_code }));
}
