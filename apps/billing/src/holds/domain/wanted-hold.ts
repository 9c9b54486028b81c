import type { AccountId, Credits } from '@capability-router/kernel';
import type { Budget } from '../../budgets/domain/budgets-of-credential.js';
import type { DailyAllowance } from '../../daily-free/domain/daily-allowance.js';
import type { BillableId } from './billable-id.js';

/** A hold as it is asked for. */
export interface PlaceHold {
  readonly billableId: BillableId;
  readonly accountId: AccountId;
  readonly amount: Credits;
  /** When the sweeper may first ask whether what it was placed for still lives. */
  readonly inquireAfter: Date;
  readonly now: Date;
  /** The budgets into which it has to fit, too; at most `MAX_BUDGETS_OF_HOLD`. */
  readonly budgets?: readonly Budget[];
  /** The allowance that may stand for it instead of the balance and the budgets, whole; absent: none. */
  readonly allowance?: DailyAllowance | undefined;
}
