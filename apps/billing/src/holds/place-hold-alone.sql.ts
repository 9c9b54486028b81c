import type { Queryable } from '@capability-router/event-store';
import type { PlaceHold } from './domain/wanted-hold.js';
import { placeHoldWithAllowanceAndBudgetsSql, placeHoldWithAllowanceSql } from './place-hold-with-allowance.sql.js';
import { placeHoldWithBudgetsSql, type FoundBudget } from './place-hold-with-budgets.sql.js';
import { placeHoldSql } from './place-hold.sql.js';

/** The row that any of the statements gives. */
export interface PlaceHoldRow {
  readonly available_after: string | null;
  readonly existing_account: string | null;
  readonly existing_amount: string | null;
  readonly existing_state: string | null;
  readonly available_before: string | null;
  /** Only of the statements with an allowance. */
  readonly covered?: true | null;
  readonly existing_covered?: boolean;
  /** Only of the statements with budgets; null: none has a row. */
  readonly found_budgets?: readonly FoundBudget[] | null;
}

/** Runs the one statement that decides this hold, by whether it has budgets and whether an allowance may stand for it. */
export async function placeHoldAlone(db: Queryable, hold: PlaceHold): Promise<PlaceHoldRow> {
  const { rows } = await db.query<PlaceHoldRow>(statementOf(hold));
  const [row] = rows;
  if (row === undefined) throw new Error('the hold statement always returns a row');
  return row;
}

function statementOf(hold: PlaceHold): { name: string; text: string; values: unknown[] } {
  const { budgets = [], allowance } = hold;
  const terms = [hold.billableId, hold.accountId, hold.amount.toString(), hold.inquireAfter, hold.now];
  const wanted = [budgets.map(({ budgetId }) => budgetId), budgets.map(({ limit }) => limit.toString())];
  if (allowance === undefined) {
    return budgets.length === 0
      ? { name: 'place-hold', text: placeHoldSql, values: terms }
      : { name: 'place-hold-with-budgets', text: placeHoldWithBudgetsSql, values: [...terms, ...wanted] };
  }
  const values = [...terms, allowance.day, allowance.limit.toString()];
  return budgets.length === 0
    ? { name: 'place-hold-with-allowance', text: placeHoldWithAllowanceSql, values }
    : {
        name: 'place-hold-with-allowance-and-budgets',
        text: placeHoldWithAllowanceAndBudgetsSql,
        values: [...values, ...wanted],
      };
}
