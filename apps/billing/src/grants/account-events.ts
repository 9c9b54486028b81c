import type { AccountOpened, AgentClaimed, ApiKeyIssued, EventEnvelope } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { claimBonus, initialGrant, type Grant } from './domain/grant.js';
import { grantCredits } from './grant-credits.js';
import { labelKeys } from './grants.sql.js';

/** Grants that follow from events of an account: its opening, and the claim of a trial. */
function grantOfEvent({ type, data }: EventEnvelope): readonly Grant[] {
  if (type === 'AccountOpened') return [initialGrant(data as unknown as AccountOpened)];
  return type === 'AgentClaimed' ? [claimBonus(data as unknown as AgentClaimed)] : [];
}

/** The grants of every account that its events bring, and the labels by which the audit names its keys. */
export async function applyAccountEvents(
  tx: pg.PoolClient,
  events: readonly EventEnvelope[],
  clock: Clock,
): Promise<void> {
  await grantCredits(tx, events.flatMap(grantOfEvent), clock);
  await labelKeys(
    tx,
    events.filter((event) => event.type === 'ApiKeyIssued').map((event) => event.data as unknown as ApiKeyIssued),
  );
}
