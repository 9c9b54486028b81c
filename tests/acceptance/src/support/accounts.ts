import { expect } from '@jest/globals';
import { adminKey } from './environment.js';
import { eventually } from './eventually.js';
import { call, send } from './http.js';
import { asObject, asString } from './json.js';

export interface TestAccount {
  readonly accountId: string;
  readonly key: string;
  readonly keyId: string;
  /** The credits that the account began with. */
  readonly initialCredits: number;
}

export const DEFAULT_INITIAL_CREDITS = 1_000;

/** A formal account of its own for one test, with one key that may do all that an account can, whose credits have arrived. */
export async function newAccount(initialCredits = DEFAULT_INITIAL_CREDITS): Promise<TestAccount> {
  const reply = await admin('POST', '/accounts', {
    kind: 'formal',
    name: 'acceptance test',
    initial_credits: initialCredits,
  });
  const accountId = asString(reply['account_id'], 'account_id');
  const { key, keyId } = await newKey(accountId, ['call', 'read', 'manage']);
  // Without waiting: an account is answered when its credits are booked.
  if (reply['credits_ready'] !== false) expect(await creditsOf(key)).toBe(initialCredits);
  else await eventually(async () => expect(await creditsOf(key)).toBe(initialCredits));
  return { accountId, key, keyId, initialCredits };
}

async function creditsOf(key: string): Promise<unknown> {
  const credits = await call('GET', '/auth/credits', { key });
  return asObject(credits.json['data'])['remaining_credits'];
}

export async function newKey(
  accountId: string,
  scopes: readonly string[] = ['call', 'read'],
): Promise<{ key: string; keyId: string }> {
  const data = await admin('POST', `/accounts/${accountId}/api-keys`, { name: 'acceptance key', scopes });
  return { key: asString(data['api_key'], 'api_key'), keyId: asString(data['api_key_id'], 'api_key_id') };
}

export async function admin(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const reply = await send(method, `/admin/v1${path}`, { key: adminKey, ...(body === undefined ? {} : { body }) });
  if (reply.status >= 300) throw new Error(`${method} /admin/v1${path} answered ${reply.status}: ${reply.text}`);
  return asObject(reply.json['data'] ?? reply.json);
}
