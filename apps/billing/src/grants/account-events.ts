import type { AccountOpened, ApiKeyIssued, EventEnvelope } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { initialGrant } from './domain/grant.js';
import { grantCredits } from './grant-credits.js';
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
