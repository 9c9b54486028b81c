import { setTimeout as sleep } from 'node:timers/promises';
import { killPart } from '@capability-router/tools-stack';
import { percentile } from '../statistics.js';
import { ask, asAdmin, form, issueKey, openAccount } from './ask.js';
import type { IdentitySite } from './identity-site.js';
import { signedIn } from './signed-in.js';
import type { IdentitySizes } from './sizes.js';

const PATH = '/api/v1/auth/credits';
const POLL_MS = 5;
/** With the broker down, where many are looked at for long. */
const SLOW_POLL_MS = 100;
const PATIENCE_MS = 90_000;
const SETTLE_MS = 2_000;

export interface RevocationRow {
  readonly what: string;
  readonly count: number;
  /** Milliseconds from sending the revocation until it was answered. */
  readonly answerP50Ms: number;
  readonly answerMostMs: number;
  /** Milliseconds until every gateway refused the credential. */
  readonly refusedP50Ms: number;
  readonly refusedMostMs: number;
  /** Revocations that were answered with `pending`. */
  readonly pending: number;
}

interface Revocable {
  /** It may `read`. */
  readonly credential: string;
  /** Resolves to whether the answer said `pending`. */
  readonly revoke: () => Promise<boolean>;
}

export async function measureRevocations(
  site: IdentitySite,
  sizes: IdentitySizes,
  stackDirectory: string,
): Promise<RevocationRow[]> {
  const accountId = await openAccount(site, 'revocations');
  const client = { account_id: accountId, name: 'bench', scopes: ['read'] };
  const confidential = await asAdmin<{ client_id: string; client_secret: string }>(
    site,
    'POST',
    '/oauth-clients',
    client,
  );
  const kind = { token_endpoint_auth_method: 'none' };
  const terminal = await asAdmin<{ client_id: string }>(site, 'POST', '/oauth-clients', { ...client, ...kind });
  const { api_key: consenting } = await issueKey(site, accountId, ['read']);
  const oauth = `${site.gateways[0]}/api/v1/oauth`;
  const ended = async (fields: Readonly<Record<string, string>>): Promise<boolean> => {
    await ask(`${oauth}/revoke`, form(fields));
    return false;
  };

  const key = async (): Promise<Revocable> => {
    const { api_key: credential, api_key_id: id } = await issueKey(site, accountId, ['read']);
    const path = `/api-keys/${id}`;
    return {
      credential,
      revoke: async () => (await asAdmin<{ pending?: true }>(site, 'DELETE', path)).pending === true,
    };
  };
  const token = async (): Promise<Revocable> => {
    const { client_id, client_secret } = confidential;
    const login = { client_id, client_secret };
    const asked = form({ grant_type: 'client_credentials', ...login });
    const { access_token: credential } = await ask<{ access_token: string }>(`${oauth}/token`, asked);
    return { credential, revoke: () => ended({ ...login, token: credential }) };
  };
  const family = async (): Promise<Revocable> => {
    const { access_token: credential, refresh_token: refresh } = await signedIn(
      site.gateways[0] ?? '',
      terminal.client_id,
      consenting,
    );
    return { credential, revoke: () => ended({ client_id: terminal.client_id, token: refresh }) };
  };

  const rows: RevocationRow[] = [];
  for (const [what, make] of [
    ['a key', key],
    ['an access token', token],
    ['the family of a refresh token', family],
  ] as const) {
    const times: Times[] = [];
    for (let index = 0; index < sizes.revoked; index += 1) times.push(await revokeOne(site, await make(), POLL_MS));
    rows.push(rowOf(what, times));
  }
  const known = await Promise.all(Array.from({ length: sizes.revokedWithoutBroker }, key));
  for (const { credential } of known) await everywhere(site, credential);
  await killPart(stackDirectory, 'kafka');
  await sleep(SETTLE_MS);
  for (const { credential } of known) await everywhere(site, credential);
  const down = await Promise.all(known.map((one) => revokeOne(site, one, SLOW_POLL_MS)));
  return [...rows, rowOf('a key, with the broker down', down)];
}

interface Times {
  readonly answeredMs: number;
  readonly refusedMs: number;
  readonly pending: boolean;
}

async function statusAt(gateway: string, credential: string): Promise<number> {
  const answer = await fetch(`${gateway}${PATH}`, { headers: { authorization: `Bearer ${credential}` } });
  await answer.arrayBuffer();
  return answer.status;
}

/** Every gateway knows the credential afterwards. */
async function everywhere({ gateways }: IdentitySite, credential: string): Promise<void> {
  for (const gateway of gateways) {
    const status = await statusAt(gateway, credential);
    if (status !== 200) throw new Error(`a credential that is good was answered ${status}`);
  }
}

/** Its gateways are asked all the time, from before the revocation is sent. */
async function revokeOne(site: IdentitySite, { credential, revoke }: Revocable, pollMs: number): Promise<Times> {
  await everywhere(site, credential);
  const startedMs = performance.now();
  const refusals = site.gateways.map(async (gateway) => {
    while ((await statusAt(gateway, credential)) !== 401) {
      if (performance.now() - startedMs > PATIENCE_MS) throw new Error('a gateway goes on with a revoked credential');
      await sleep(pollMs);
    }
    return performance.now() - startedMs;
  });
  const pending = await revoke();
  const answeredMs = performance.now() - startedMs;
  return { answeredMs, refusedMs: Math.max(...(await Promise.all(refusals))), pending };
}

function rowOf(what: string, times: readonly Times[]): RevocationRow {
  const sorted = (read: (one: Times) => number): number[] => times.map(read).sort((a, b) => a - b);
  const [answered, refused] = [sorted(({ answeredMs }) => answeredMs), sorted(({ refusedMs }) => refusedMs)];
  return {
    what,
    count: times.length,
    answerP50Ms: percentile(answered, 0.5),
    answerMostMs: percentile(answered, 1),
    refusedP50Ms: percentile(refused, 0.5),
    refusedMostMs: percentile(refused, 1),
    pending: times.filter(({ pending }) => pending).length,
  };
}
