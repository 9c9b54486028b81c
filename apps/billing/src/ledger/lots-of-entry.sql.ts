import { creditsFromMicro, creditsToNumber, type JsonObject } from '@capability-router/kernel';

/**
 * The lots that an entry `e` moved, in burn order, as JSON text: what it took of each is below 0, what it gave to each
 * above; together they are its amount. The rows were written in the transaction of the entry and never change. Ids and
 * categories hold nothing that JSON escapes. Null where there are none.
 */
export const lotsOfEntrySql = `
(SELECT '[' || string_agg('{"lot_id":"' || l.lot_id || '","category":"' || l.category || '","amount_micro_credits":"' || m.amount || '"}',
                          ',' ORDER BY l.expires_at NULLS LAST, l.granted_at, l.lot_id) || ']'
   FROM (SELECT b.lot_id, -b.amount_micro AS amount FROM lot_burns b WHERE b.ledger_entry_id = e.entry_id
         UNION ALL SELECT r.lot_id, r.amount_micro FROM lot_restores r WHERE r.ledger_entry_id = e.entry_id
         UNION ALL SELECT g.lot_id, g.granted_micro FROM credit_lots g WHERE g.lot_id = e.entry_id) AS m
   JOIN credit_lots l USING (lot_id))`;

/** A row that was read with `lotsOfEntrySql AS lots`. */
export interface WithLots {
  readonly lots: string | null;
}

/** The lots of an entry as the API shows them; null where there are none. */
export function lotsView(lots: string | null): JsonObject[] | null {
  if (lots === null) return null;
  const parsed = JSON.parse(lots) as { lot_id: string; category: string; amount_micro_credits: string }[];
  return parsed.map(({ lot_id, category, amount_micro_credits: micro }) => ({
    lot_id,
    category,
    amount_credits: creditsToNumber(creditsFromMicro(BigInt(micro))),
  }));
}
