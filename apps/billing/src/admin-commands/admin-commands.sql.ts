import type { JsonObject } from '@capability-router/kernel';
import type pg from 'pg';

export interface ClaimedCommand {
  readonly key: string;
  readonly kind: string;
  readonly accountId: string;
  /** Of everything that the outcome depends on. */
  readonly hash: string;
  readonly commandedBy: string;
  readonly note: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
}

const claimSql = `
INSERT INTO admin_commands (idempotency_key, kind, account_id, input_hash, commanded_by, note, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (idempotency_key) DO NOTHING`;

/** False where the key was used before. */
export async function claimCommand(tx: pg.PoolClient, command: ClaimedCommand): Promise<boolean> {
  const { key, kind, accountId, hash, commandedBy, note, createdAt } = command;
  const values = [key, kind, accountId, hash, commandedBy, note ?? null, createdAt];
  return (await tx.query(claimSql, values)).rowCount !== 0;
}

const answerSql = 'UPDATE admin_commands SET answer = $2 WHERE idempotency_key = $1';

export async function keepAnswer(tx: pg.PoolClient, key: string, answer: JsonObject): Promise<void> {
  await tx.query(answerSql, [key, JSON.stringify(answer)]);
}

const findSql = 'SELECT input_hash, answer FROM admin_commands WHERE idempotency_key = $1';

/** `answer` is null only before its transaction commits. */
export async function findCommand(
  tx: pg.PoolClient,
  key: string,
): Promise<{ readonly input_hash: string; readonly answer: JsonObject | null } | undefined> {
  const { rows } = await tx.query<{ input_hash: string; answer: JsonObject | null }>(findSql, [key]);
  return rows[0];
}
