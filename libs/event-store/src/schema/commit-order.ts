/**
 * Order by commit. A row carries `tx_order` = epoch × 2^48 + the writer's transaction id; a reader takes only rows
 * below the oldest transaction still running (the horizon), so a row that commits late is never passed by.
 *
 * A transaction that takes its locks late can carry an older id than the row that it follows. It then takes its
 * predecessor's order instead (the greater of both): its own id still holds the horizon down until it ends, so no
 * reader has passed that order yet, and within one order rows go by `position`, which is allocated under the lock.
 */
const EPOCH_FACTOR = '281474976710656'; // 2^48

/**
 * SQL of the order for a row that this statement writes. `predecessorSql`: a scalar expression for the `tx_order` of
 * the row before it in its stream (or account), or NULL. It must see that row: lock first, read in a later statement.
 */
export const txOrderSql = (predecessorSql = 'NULL::bigint'): string =>
  `greatest((SELECT epoch FROM event_store_epoch) * ${EPOCH_FACTOR} + pg_current_xact_id()::text::bigint, coalesce(${predecessorSql}, 0))`;

/** SQL of the first order that is not readable yet in this statement's snapshot. */
export const horizonSql = `(SELECT epoch * ${EPOCH_FACTOR} + pg_snapshot_xmin(pg_current_snapshot())::text::bigint FROM event_store_epoch)`;
