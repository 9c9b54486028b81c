import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { addUp, BATCH_ENTRIES, compareSums, type ConservationSums } from './check-conservation.sql.js';
import { runCheck } from './run-check.js';

/** Transactions of one round; a long history is added up over several rounds before anything is compared. */
const MAX_BATCHES = 25;

export const CONSERVATION_CHECK = 'conservation';

export interface ConservationState {
  /** The last entry that `sum` counts, in commit order: nothing is ever written before it. */
  readonly txOrder: string;
  readonly position: string;
  readonly sum: string;
  /** The sums of the last comparison; null before the first. */
  readonly compared: ConservationSums | null;
  readonly comparedAt: string | null;
}

const initial: ConservationState = { txOrder: '0', position: '0', sum: '0', compared: null, comparedAt: null };

/**
 * Sum of all entries = sum of balances = sum of what lots have left; held = sum of open holds. Entries are added up
 * once, as they come. Undefined: another replica is at it, or the history is not added up yet.
 */
export async function checkConservation(pool: pg.Pool, clock: Clock): Promise<ConservationSums | undefined> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    let entries = 0;
    const check = { name: CONSERVATION_CHECK, initial, nowMs: clock.nowMs() };
    const ran = await runCheck(pool, check, async (tx, state) => {
      const next = await addUp(tx, state);
      if (next === undefined) return state;
      entries = next.entries;
      const sum = (BigInt(state.sum) + BigInt(next.sum)).toString();
      return { ...state, txOrder: next.txOrder, position: next.position, sum };
    });
    if (ran === undefined) return undefined;
    if (entries < BATCH_ENTRIES) return compare(pool, clock);
  }
  return undefined;
}

async function compare(pool: pg.Pool, clock: Clock): Promise<ConservationSums | undefined> {
  const nowMs = clock.nowMs();
  const check = { name: CONSERVATION_CHECK, initial, nowMs, snapshot: true };
  const ran = await runCheck(pool, check, async (tx, state) => {
    const compared = await compareSums(tx, state);
    return { ...state, compared: compared ?? null, comparedAt: new Date(nowMs).toISOString() };
  });
  return ran?.compared ?? undefined;
}
