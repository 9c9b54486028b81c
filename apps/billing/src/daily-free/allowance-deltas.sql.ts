import type { AccountId } from '@capability-router/kernel';
import type pg from 'pg';

/** The amounts that ended calls gave back to, and took from, the allowance of an account on a day. */
export interface AllowanceDelta {
  readonly accountId: AccountId;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly reserved: bigint;
  readonly used: bigint;
}

/** Changes rows by delta, in the order of their keys, as every other statement that takes them does. */
const updateAllowancesSql = `
WITH deltas AS (
  SELECT * FROM unnest($1::text[], $2::date[], $3::bigint[], $4::bigint[]) AS d (account_id, day, reserved, used)
), locked AS (
  SELECT a.account_id, a.day FROM daily_allowances a JOIN deltas USING (account_id, day)
   ORDER BY a.account_id, a.day FOR UPDATE OF a
)
UPDATE daily_allowances
   SET reserved_micro = daily_allowances.reserved_micro + deltas.reserved, used_micro = daily_allowances.used_micro + deltas.used
  FROM deltas JOIN locked USING (account_id, day)
 WHERE daily_allowances.account_id = deltas.account_id AND daily_allowances.day = deltas.day`;

/** Before the budgets and the balances, as in a hold. Costs no statement where no call was covered. */
export async function applyAllowanceDeltas(tx: pg.PoolClient, moved: readonly AllowanceDelta[]): Promise<void> {
  if (moved.length === 0) return;
  const { rowCount } = await tx.query({
    name: 'apply-allowance-deltas',
    text: updateAllowancesSql,
    values: [
      moved.map((delta) => delta.accountId),
      moved.map((delta) => delta.day),
      moved.map((delta) => delta.reserved.toString()),
      moved.map((delta) => delta.used.toString()),
    ],
  });
  if (rowCount !== moved.length) throw new Error(`${rowCount} of ${moved.length} daily allowances were updated`);
}

/** Adds up what several calls of one batch do to the same counter. */
export class AllowanceDeltas {
  private readonly deltas = new Map<string, AllowanceDelta>();

  add({ accountId, day, reserved, used }: AllowanceDelta): void {
    const key = `${accountId} ${day}`;
    const before = this.deltas.get(key) ?? { reserved: 0n, used: 0n };
    this.deltas.set(key, { accountId, day, reserved: before.reserved + reserved, used: before.used + used });
  }

  all(): AllowanceDelta[] {
    return [...this.deltas.values()];
  }
}
