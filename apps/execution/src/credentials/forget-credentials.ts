import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { recordChange } from './credentials-changed.js';
import { deleteAllOf, lockManyRows, lockOwner } from './credentials.sql.js';

/** An erased account's credentials go with it, on every replica. Resolves to the rows removed. */
export function forgetCredentials(pool: pg.Pool, accountId: string): Promise<number> {
  return inTransaction(pool, async (tx) => {
    await lockManyRows(tx);
    await lockOwner(tx, accountId);
    const gone = await deleteAllOf(tx, accountId);
    for (const { ownerId, providerId, revision } of gone) {
      await recordChange(tx, { ownerId, providerId, change: 'erased', replaced: revision });
    }
    return gone.length;
  });
}
