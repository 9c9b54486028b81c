import type { JsonObject } from '@capability-router/kernel';
import { columnValues, Records } from '@capability-router/service-kit';
import type pg from 'pg';
import { AdminCommandRecord } from './admin-command.entity.js';

const records = new Records([AdminCommandRecord]);

/** False where the key was used before. Whoever claims a key that another transaction has claimed waits for its end. */
export async function claimCommand(tx: pg.PoolClient, command: Omit<AdminCommandRecord, 'answer'>): Promise<boolean> {
  const claimed = await (
    await records.of(AdminCommandRecord, tx)
  )
    .createQueryBuilder()
    .insert()
    .values(columnValues<AdminCommandRecord>({ ...command, answer: null }))
    // Nothing is overwritten, and no other conflict is taken for a key that was used.
    .orUpdate([], ['idempotency_key'])
    .returning('idempotency_key')
    .updateEntity(false)
    .execute();
  return (claimed.raw as readonly unknown[]).length === 1;
}

export async function keepAnswer(tx: pg.PoolClient, idempotencyKey: string, answer: JsonObject): Promise<void> {
  await (
    await records.of(AdminCommandRecord, tx)
  ).update({ idempotencyKey }, columnValues<AdminCommandRecord>({ answer }));
}

export async function findCommand(
  tx: pg.PoolClient,
  idempotencyKey: string,
): Promise<Pick<AdminCommandRecord, 'inputHash' | 'answer'> | undefined> {
  const commands = await records.of(AdminCommandRecord, tx);
  const select = { idempotencyKey: true, inputHash: true, answer: true };
  const found = await commands.findOne({ select, where: { idempotencyKey } });
  return found ?? undefined;
}
