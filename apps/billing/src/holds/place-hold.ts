import type { PlaceHoldResponse } from '@capability-router/contracts';
import type { AccountId, Credits } from '@capability-router/kernel';
import type pg from 'pg';
import { isUniqueViolation } from '../queries/postgres-errors.js';
import type { BillableId } from './billable-id.js';
import { placeHoldSql, type PlaceHoldRow } from './place-hold.sql.js';

export interface PlaceHold {
  readonly billableId: BillableId;
  readonly accountId: AccountId;
  readonly amount: Credits;
  readonly expiresAt: Date;
  /** When the sweeper may first ask whether what it was placed for still lives. */
  readonly inquireAfter: Date;
  readonly now: Date;
}

/**
 * Reserves `amount` for one execution or search. Equal inputs are answered alike however often they are sent; other
 * inputs for the same id, or a hold that has already ended, are a conflict.
 */
export async function placeHold(pool: pg.Pool, hold: PlaceHold): Promise<PlaceHoldResponse> {
  try {
    const first = interpret(hold, await run(pool, hold));
    // A twin of this request may have taken the credits while this one waited for the row; a new snapshot shows its hold.
    return first.status === 'insufficient_credits' ? interpret(hold, await run(pool, hold)) : first;
  } catch (error) {
    // The twin was faster by less: both reserved, and the primary key undid this one.
    if (isUniqueViolation(error)) return interpret(hold, await run(pool, hold));
    throw error;
  }
}

async function run(pool: pg.Pool, hold: PlaceHold): Promise<PlaceHoldRow> {
  const { rows } = await pool.query<PlaceHoldRow>({
    name: 'place-hold',
    text: placeHoldSql,
    values: [hold.billableId, hold.accountId, hold.amount.toString(), hold.expiresAt, hold.inquireAfter, hold.now],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the hold statement always returns a row');
  return row;
}

function interpret(hold: PlaceHold, row: PlaceHoldRow): PlaceHoldResponse {
  if (row.available_after !== null) return { status: 'held', availableMicroCredits: row.available_after };
  const available = row.available_before ?? '0';
  if (row.existing_account === null) return { status: 'insufficient_credits', availableMicroCredits: available };
  const equal = row.existing_account === hold.accountId && row.existing_amount === hold.amount.toString();
  return equal && row.existing_state === 'open'
    ? { status: 'held', availableMicroCredits: available }
    : { status: 'conflict' };
}
