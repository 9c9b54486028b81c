import type { IdentitySite } from './identity-site.js';

/** The body of a good answer. @throws Error with any other. */
export async function ask<T>(url: string, init: RequestInit): Promise<T> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

const json = { 'content-type': 'application/json' };

/** A request of an administrator, to the first gateway. */
export async function asAdmin<T>(
  { gateways, adminKey }: IdentitySite,
  method: 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const headers = { authorization: `Bearer ${adminKey}`, ...(body && json) };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return (await ask<{ data: T }>(`${gateways[0]}/admin/v1${path}`, init)).data;
}

export const postJson = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) });

export const form = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
});

export async function openAccount(site: IdentitySite, name: string): Promise<string> {
  const account = { kind: 'formal', name, initial_credits: 0 };
  return (await asAdmin<{ account_id: string }>(site, 'POST', '/accounts', account)).account_id;
}

export const issueKey = (
  site: IdentitySite,
  accountId: string,
  scopes: readonly string[],
): Promise<{ api_key: string; api_key_id: string }> =>
  asAdmin(site, 'POST', `/accounts/${accountId}/api-keys`, { name: 'bench', scopes });
