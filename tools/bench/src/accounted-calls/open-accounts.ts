import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Requests that one administrator makes; below the 600 a minute that the gateway allows an account. */
const REQUESTS_PER_ADMINISTRATOR = 500;
const REQUESTS_PER_ACCOUNT = 2;
const IN_PARALLEL = 8;
const INITIAL_CREDITS = 1_000_000;
const BOOKED_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

interface AdminApi {
  readonly origin: string;
  readonly key: string;
}

async function post<T>(api: AdminApi, path: string, body: object): Promise<T> {
  const answer = await fetch(`${api.origin}/admin/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}

async function openAccount(api: AdminApi, name: string, credits: number, scopes: readonly string[]): Promise<string> {
  const account = { kind: 'formal', name, initial_credits: credits };
  const { account_id: id } = await post<{ account_id: string }>(api, '/accounts', account);
  return (await post<{ api_key: string }>(api, `/accounts/${id}/api-keys`, { name, scopes })).api_key;
}

/** Funded accounts with a key each, opened through the admin API; waits until billing has booked their credits. */
export async function openFundedAccounts(api: AdminApi, count: number, billing: pg.Pool): Promise<string[]> {
  const before = await bookedAccounts(billing);
  const administrators = Math.ceil((count * REQUESTS_PER_ACCOUNT) / REQUESTS_PER_ADMINISTRATOR);
  const admins: AdminApi[] = [];
  for (let index = 0; index < administrators; index += 1) {
    admins.push({ ...api, key: await openAccount(api, `Bench administrator ${index}`, 0, ['admin']) });
  }
  const keys: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      const admin = admins[index % admins.length] ?? api;
      keys.push(await openAccount(admin, `Bench ${index}`, INITIAL_CREDITS, ['call', 'read']));
    }
  };
  await Promise.all(Array.from({ length: IN_PARALLEL }, worker));
  const deadlineMs = performance.now() + BOOKED_TIMEOUT_MS;
  while ((await bookedAccounts(billing)) < before + count) {
    if (performance.now() > deadlineMs) throw new Error('billing did not book the credits of the accounts in time');
    await sleep(POLL_MS);
  }
  return keys;
}

async function bookedAccounts(billing: pg.Pool): Promise<number> {
  const { rows } = await billing.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM account_balances WHERE balance_micro > 0',
  );
  return rows[0]?.count ?? 0;
}
