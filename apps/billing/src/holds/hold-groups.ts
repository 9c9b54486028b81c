import type { PlaceHoldResponse } from '@capability-router/contracts';
import { GroupCommit, GroupCommitFull, isOfSqlStateClass } from '@capability-router/event-store';
import { AppError } from '@capability-router/kernel';
import { POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { PlaceHold } from './domain/wanted-hold.js';
import { placeHold } from './place-hold.js';
import { placeHoldsTogether } from './place-holds.sql.js';

/** Holds of one statement. */
const MAX_HOLDS_PER_STATEMENT = 100;
/** Statements at the same time: the second one takes what came while the first waits for its commit. */
const MAX_STATEMENTS = 2;
/** Holds that wait to be placed. */
const MAX_WAITING = 10_000;
/** SQLSTATE classes: data exception, integrity violation, transaction rollback (a deadlock). */
const faultsOfAnItem = ['22', '23', '40'];

/**
 * Places holds as `placeHold` does, those that come at the same time in one statement: one durable commit for all of
 * them, and one lock on an account that many of them are of. A lone hold waits for nobody. What has budgets or an
 * allowance, and what the statement of a group does not admit, is decided by its own statement.
 */
@Injectable()
export class HoldGroups {
  private readonly groups: GroupCommit<PlaceHold, PlaceHoldResponse | undefined>;

  constructor(@Inject(POOL) private readonly pool: pg.Pool) {
    this.groups = new GroupCommit<PlaceHold, PlaceHoldResponse | undefined>({
      maxItems: MAX_HOLDS_PER_STATEMENT,
      maxWrites: MAX_STATEMENTS,
      maxWaiting: MAX_WAITING,
      isFaultOfAnItem: (error) => isOfSqlStateClass(error, faultsOfAnItem),
      write: (holds) => this.write(holds),
    });
  }

  /** @throws AppError 503 where too many wait; then nothing was reserved. */
  async place(hold: PlaceHold): Promise<PlaceHoldResponse> {
    const alone = hold.allowance !== undefined || (hold.budgets ?? []).length > 0;
    return (alone ? undefined : await this.inGroup(hold)) ?? placeHold(this.pool, hold);
  }

  private async inGroup(hold: PlaceHold): Promise<PlaceHoldResponse | undefined> {
    try {
      return await this.groups.add(hold);
    } catch (error) {
      if (!(error instanceof GroupCommitFull)) throw error;
      throw new AppError('service_unavailable', 'Too many holds wait to be placed. Try again in a moment.', {
        cause: error,
      });
    }
  }

  /** Undefined for those that were not admitted. */
  private async write(holds: readonly PlaceHold[]): Promise<(PlaceHoldResponse | undefined)[]> {
    const [first] = holds;
    if (holds.length === 1 && first !== undefined) return [await placeHold(this.pool, first)];
    const responses = holds.map((): PlaceHoldResponse | undefined => undefined);
    for (const { place, available_after } of await placeHoldsTogether(this.pool, holds)) {
      responses[place - 1] = { status: 'held', availableMicroCredits: available_after };
    }
    return responses;
  }
}
