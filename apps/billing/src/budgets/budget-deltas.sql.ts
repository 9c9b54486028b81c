import type pg from 'pg';

export interface BudgetDelta {
  readonly reserved: bigint;
  readonly spent: bigint;
}

/** Changes rows by delta, in the order of their ids, as every other statement that takes them does. */
const updateBudgetsSql = `
WITH deltas AS (
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS d (budget_id, reserved, spent)
), locked AS (
  SELECT b.budget_id FROM budgets b WHERE b.budget_id = ANY($1) ORDER BY b.budget_id FOR UPDATE
)
UPDATE budgets
   SET reserved_micro = budgets.reserved_micro + deltas.reserved, spent_micro = budgets.spent_micro + deltas.spent
  FROM deltas JOIN locked USING (budget_id)
 WHERE budgets.budget_id = deltas.budget_id`;

/**
 * Writes what ended holds gave back and spent. Nothing but the balances may follow it: a hold under the same budget waits
 * for the two statements and never for a batch. Costs no statement where no hold stood under a budget.
 */
export async function applyBudgetDeltas(tx: pg.PoolClient, deltas: ReadonlyMap<string, BudgetDelta>): Promise<void> {
  if (deltas.size === 0) return;
  const moved = [...deltas];
  const { rowCount } = await tx.query({
    name: 'apply-budget-deltas',
    text: updateBudgetsSql,
    values: [
      moved.map(([budgetId]) => budgetId),
      moved.map(([, delta]) => delta.reserved.toString()),
      moved.map(([, delta]) => delta.spent.toString()),
    ],
  });
  if (rowCount !== moved.length) throw new Error(`${rowCount} of ${moved.length} budgets were updated`);
}
