import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Repository } from 'typeorm';
import { AgentClaimRecord } from './agent-claim.entity.js';

const records = new Records([AgentClaimRecord]);

export const claimsIn = (db: pg.Pool | pg.ClientBase): Promise<Repository<AgentClaimRecord>> =>
  records.of(AgentClaimRecord, db);

/** Forgets to whom a code was mailed. */
export async function removeClaim(tx: pg.ClientBase, accountId: string): Promise<void> {
  await (await claimsIn(tx)).delete({ accountId });
}
