import { txOrderSql, type Queryable } from '@capability-router/event-store';

const markSql = `UPDATE capabilities SET change_order = ${txOrderSql('change_order')} WHERE capability_id = ANY($1::text[])`;

/** So that the copies in memory read them again. In the transaction that changes them. */
export async function markChanged(tx: Queryable, capabilityIds: readonly string[]): Promise<void> {
  await tx.query(markSql, [capabilityIds]);
}
