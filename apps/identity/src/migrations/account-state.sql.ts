/** The state of an account as callers have it; an index is on this very expression. */
export const accountStateSql = `CASE WHEN status = 'active' AND payment_required THEN 'payment_required' ELSE status END`;
