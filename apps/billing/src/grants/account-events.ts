import type { AccountOpened, ApiKeyIssued, EventEnvelope } from '@capability-router/contracts';
import { creditsFromMicro, type AccountId, type Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { grantCredits, type Grant } from './grant-credits.js';
import { labelKeys } from './grants.sql.js';

/** The first grant of every account, and the labels by which the audit names its keys. */
export async function applyAccountEvents(
  tx: pg.PoolClient,
  events: readonly EventEnvelope[],
  clock: Clock,
): Promise<void> {
  const opened = events.filter((event) => event.type === 'AccountOpened');
  await grantCredits(
    tx,
    opened.map((event) => initialGrant(event.data as unknown as AccountOpened)),
    clock,
  );
  await labelKeys(
    tx,
    events.filter((event) => event.type === 'ApiKeyIssued').map((event) => event.data as unknown as ApiKeyIssued),
  );
}

function initialGrant(account: AccountOpened): Grant {
  const trial = account.grantCategory === 'trial';
  return {
    grantRef: `account-opened:${account.accountId}`,
    accountId: account.accountId as AccountId,
    amount: creditsFromMicro(BigInt(account.initialGrantMicroCredits)),
    entryType: 'grant_welcome_bonus',
    category: account.grantCategory,
    expiresAt: account.grantExpiresAt ?? null,
    sourceSystem: 'billing',
    description: trial ? 'Trial credits' : 'Welcome bonus',
    metadata: {},
    effectiveAt: account.openedAt,
  };
}
