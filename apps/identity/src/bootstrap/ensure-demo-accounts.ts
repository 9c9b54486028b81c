import type { ApiKeyScope } from '@capability-router/contracts';
import { ZERO_CREDITS, type Clock, type Credits } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { lockAccount } from '../accounts/lock-account.js';
import { openAccount } from '../accounts/open-account.js';
import { issueApiKey } from '../api-keys/issue-api-key.js';
import { listApiKeys } from '../api-keys/list-api-keys.sql.js';
import { revokeApiKey } from '../api-keys/revoke-api-key.js';
import { findBootstrapAccounts, recordBootstrapAccount, type BootstrapRole } from './bootstrap-accounts.sql.js';

export interface DemoKeys {
  /** The demo account, by which administrators name it. */
  readonly accountId: string;
  /** A key of the demo account; it has the scopes `call`, `read` and `manage`. */
  readonly apiKey: string;
  /** A key of the admin account, which has no credits; it has the scope `admin`. */
  readonly adminKey: string;
}

interface Plan {
  readonly role: BootstrapRole;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly credits: Credits;
}

/**
 * On first start: a demo account with `demoCredits` and a separate admin account, with a key each. Resolves to the plain
 * keys, which are nowhere stored, and to undefined on every later start. `reissue` is for a caller that has lost them
 * (it stopped before it could write them down): the old bootstrap keys are revoked and new ones returned. An account that
 * is not active any more gets no key, so another one takes its place.
 */
export function ensureDemoAccounts(
  pool: pg.Pool,
  clock: Clock,
  config: { readonly demoCredits: Credits },
  options: { readonly reissue?: boolean } = {},
): Promise<DemoKeys | undefined> {
  const demo: Plan = { role: 'demo', name: 'Demo', scopes: ['call', 'read', 'manage'], credits: config.demoCredits };
  const admin: Plan = { role: 'admin', name: 'Administrator', scopes: ['admin'], credits: ZERO_CREDITS };
  return inTransaction(pool, async (tx) => {
    const accounts = await findBootstrapAccounts(tx);
    if (accounts.size > 0 && options.reissue !== true) return undefined;
    const nowMs = clock.nowMs();
    const ofDemo = await keyFor(tx, demo, accounts.get('demo'), nowMs);
    const ofAdmin = await keyFor(tx, admin, accounts.get('admin'), nowMs);
    return { accountId: ofDemo.accountId, apiKey: ofDemo.apiKey, adminKey: ofAdmin.apiKey };
  });
}

async function keyFor(
  tx: pg.PoolClient,
  plan: Plan,
  existing: string | undefined,
  nowMs: number,
): Promise<{ readonly accountId: string; readonly apiKey: string }> {
  const earlier = existing === undefined ? undefined : await listApiKeys(tx, existing);
  for (const key of earlier?.keys ?? []) {
    if (key.name === keyName(plan) && key.revokedAt === null) await revokeApiKey(tx, key.apiKeyId, nowMs);
  }
  // One that was suspended, closed or erased is replaced.
  const isActive = existing !== undefined && (await lockAccount(tx, existing))?.status === 'active';
  const accountId = isActive ? existing : await openFor(tx, plan, nowMs);
  const issued = await issueApiKey(tx, { accountId, name: keyName(plan), scopes: plan.scopes, nowMs });
  if (issued.status !== 'issued') throw new Error(`the ${plan.role} account was refused a key: ${issued.status}`);
  return { accountId, apiKey: issued.apiKey };
}

async function openFor(tx: pg.PoolClient, plan: Plan, nowMs: number): Promise<string> {
  const grant = { category: 'welcome_bonus', amount: plan.credits } as const;
  const opened = await openAccount(tx, { kind: 'formal', name: plan.name, grant, nowMs });
  if (opened.status !== 'opened') throw new Error(`the ${plan.role} account was refused: ${opened.status}`);
  await recordBootstrapAccount(tx, plan.role, opened.accountId);
  return opened.accountId;
}

const keyName = (plan: Plan): string => `bootstrap ${plan.role}`;
