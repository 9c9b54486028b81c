import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { maskApiKey, systemClock, uuidv7 } from '@capability-router/kernel';
import { percentile } from '../statistics.js';
import { ask, asAdmin, form, issueKey, openAccount } from './ask.js';
import type { IdentitySite } from './identity-site.js';
import { newApiKey } from './new-api-key.js';
import type { IdentitySizes } from './sizes.js';

/** The credentials have no `read`, so the gateway answers this by itself once it knows whose they are. */
const PATH = '/api/v1/auth/credits';
const REFUSED = 403;
const WARM_UP = 100;
/** Opening accounts sets off their first grants; after it, nothing of them is left to do. */
const SETTLING_MS = 5_000;

export interface ColdRow {
  readonly what: string;
  readonly coldP50Ms: number;
  readonly coldP99Ms: number;
  readonly warmP50Ms: number;
  readonly warmP99Ms: number;
  /** By how much the first request with a credential took longer than the second. */
  readonly addedP50Ms: number;
  readonly addedP99Ms: number;
}

/** A request that the gateway refuses for its scope, with credentials that it has not seen, and the same again. */
export async function measureCold(site: IdentitySite, sizes: IdentitySizes): Promise<ColdRow[]> {
  const ofOne: string[] = [];
  for (let count = 0; count < sizes.cold + WARM_UP; count += 1) {
    ofOne.push((await issueKey(site, await openAccount(site, `one key ${count}`), ['call'])).api_key);
  }
  await sleep(SETTLING_MS);
  await measure(site, 'warm-up', ofOne.splice(0, WARM_UP));
  const crowded = await openAccount(site, 'many keys');
  const ofMany = await insertKeys(site, crowded, sizes.manyKeys);
  const stride = Math.max(1, Math.floor(ofMany.length / sizes.cold));
  const spread = ofMany.filter((_key, index) => index % stride === 0).slice(0, sizes.cold);
  return [
    await measure(site, 'a key of an account with one', ofOne),
    await measure(site, `a key of an account with ${sizes.manyKeys}`, spread),
    await measure(site, 'an access token', await tokens(site, crowded, sizes.cold)),
  ];
}

async function measure({ gateways }: IdentitySite, what: string, credentials: readonly string[]): Promise<ColdRow> {
  const url = `${gateways[0]}${PATH}`;
  const [cold, warm]: [number[], number[]] = [[], []];
  for (const credential of credentials) {
    const headers = { authorization: `Bearer ${credential}` };
    for (const times of [cold, warm]) {
      const startedMs = performance.now();
      const answer = await fetch(url, { headers });
      await answer.arrayBuffer();
      times.push(performance.now() - startedMs);
      if (answer.status !== REFUSED) throw new Error(`${what}: ${answer.status} in place of ${REFUSED}`);
    }
  }
  const added = cold.map((coldMs, index) => coldMs - (warm[index] ?? 0));
  for (const times of [cold, warm, added]) times.sort((a, b) => a - b);
  return {
    what,
    coldP50Ms: percentile(cold, 0.5),
    coldP99Ms: percentile(cold, 0.99),
    warmP50Ms: percentile(warm, 0.5),
    warmP99Ms: percentile(warm, 0.99),
    addedP50Ms: percentile(added, 0.5),
    addedP99Ms: percentile(added, 0.99),
  };
}

/** More than an account may have in use at a time, so they are put into the table: their look-up is the same. */
async function insertKeys({ identity }: IdentitySite, accountId: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, newApiKey);
  const ids = keys.map(() => uuidv7(systemClock.nowMs()));
  const hashes = keys.map((key) => createHash('sha256').update(key, 'utf8').digest());
  await identity.query(
    `INSERT INTO api_keys (api_key_id, account_id, key_hash, masked_value, name, scopes, issued_at)
     SELECT id, $1, hash, masked, 'bench', '{call}', now()
       FROM unnest($2::uuid[], $3::bytea[], $4::text[]) AS given (id, hash, masked)`,
    [accountId, ids, hashes, keys.map(maskApiKey)],
  );
  await identity.query('ANALYZE api_keys');
  return keys;
}

async function tokens(site: IdentitySite, accountId: string, count: number): Promise<string[]> {
  const client = { account_id: accountId, name: 'bench', scopes: ['call'] };
  const registered = await asAdmin<{ client_id: string; client_secret: string }>(
    site,
    'POST',
    '/oauth-clients',
    client,
  );
  const { client_id, client_secret } = registered;
  const asked = form({ grant_type: 'client_credentials', client_id, client_secret });
  const issued: string[] = [];
  for (let index = 0; index < count; index += 1) {
    issued.push((await ask<{ access_token: string }>(`${site.gateways[0]}/api/v1/oauth/token`, asked)).access_token);
  }
  return issued;
}
