/**
 * Every deadline of a call, in milliseconds. All but the last two are counted from its start:
 *
 *     start ─── deadline ─── + 1 s ─── + 3 s ─────── + 5 s
 *               of the plan  adapter   result store  whoever is still at it is given up
 *
 * Each leaves what comes after it the time that it needs. `deadlines.unit.spec.ts` holds them to that order.
 */

/** The most that a call may take; a tool that asks for more gets this. The gateway's `CALL_TIMEOUT_MS` is longer, so that it hears the answer. */
export const MAX_CALL_DEADLINE_MS = 100_000;

/**
 * After its deadline, an adapter is waited for this long, because it ends by its own timer first and then says why, which
 * is worth more than a bare timeout.
 */
export const ADAPTER_GRACE_MS = 1_000;

/**
 * After the deadline of a call, the result store is waited for this long: less than `GIVE_UP_GRACE_MS` by what the attempts to
 * record the end may take, so that no call that succeeded is interrupted because the store hangs.
 */
export const KEEP_GRACE_MS = 3_000;

/**
 * Between the attempts to record an end. A database that fails over for a moment is back within them, and together they are far
 * below the lease.
 */
export const RECORD_RETRY_DELAYS_MS = [50, 250, 1_000] as const;

/**
 * After its deadline, an execution whose owner still lives is interrupted: an owner that hangs must not keep an account's credits
 * held.
 */
export const GIVE_UP_GRACE_MS = 5_000;

/**
 * After its id was minted, an execution may still start. Minting to start takes far less; that it has an end lets the look-up of
 * an id say for certain that it never ran.
 */
export const START_WINDOW_MS = 60_000;

/** After its time was looked at, a start may take this long to become visible to a look-up. */
export const START_COMMIT_MARGIN_MS = 10_000;
