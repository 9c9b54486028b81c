import type { Queryable } from '@capability-router/event-store';
import type { PlaceHold } from './domain/wanted-hold.js';

/**
 * Many holds in one statement, as many as fit: each account's in the order in which they came, until the first that its
 * balance does not cover. Only what a balance alone decides: no budgets, no allowance. Accounts are locked in the order
 * of their ids, as everywhere; what a lock had to wait for is read anew. An id that has a hold already, a forestalled one
 * too, is left out, so that it does not undo the others on the primary key; one that gets its hold meanwhile still does.
 * Holds are written in the order of their ids, as forestalled ones are, so that neither waits for the other. Each account
 * and each id is looked up by itself: joined, a plan made while the table was empty would read the whole of it.
 *
 * $1 execution or search ids · $2 account ids · $3 amounts · $4 inquire after · $5 now
 *
 * Answers those that were placed, by their place among the parameters (from 1), with what is available after each.
 */
const placeHoldsSql = `
WITH input AS MATERIALIZED (
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[])
    WITH ORDINALITY AS i (execution_id, account_id, amount_micro, inquire_after, placed_at, place)
   WHERE (SELECT true FROM holds h WHERE h.execution_id = i.execution_id) IS NULL
), locked AS MATERIALIZED (
  SELECT wanted.account_id, found.available
    FROM (SELECT DISTINCT account_id FROM input ORDER BY account_id) AS wanted
   CROSS JOIN LATERAL (
     SELECT balance_micro - held_micro AS available FROM account_balances b WHERE b.account_id = wanted.account_id
      LIMIT 1 FOR UPDATE
   ) AS found
), fitting AS MATERIALIZED (
  SELECT * FROM (
    SELECT input.*, locked.available - sum(amount_micro) OVER (PARTITION BY account_id ORDER BY place) AS available_after
      FROM input JOIN locked USING (account_id)
  ) AS taken WHERE available_after >= 0
), reserved AS (
  UPDATE account_balances b SET held_micro = b.held_micro + total.micro
    FROM (SELECT account_id, sum(amount_micro)::bigint AS micro FROM fitting GROUP BY account_id) AS total
   WHERE b.account_id = total.account_id AND b.balance_micro - b.held_micro >= total.micro
  RETURNING b.account_id
), placed AS (
  INSERT INTO holds (execution_id, account_id, amount_micro, inquire_after, placed_at)
  SELECT execution_id, account_id, amount_micro, inquire_after, placed_at
    FROM fitting JOIN reserved USING (account_id) ORDER BY execution_id
  RETURNING execution_id
)
SELECT place::int AS place, available_after::text AS available_after FROM fitting JOIN placed USING (execution_id)`;

/** A hold that was placed. */
export interface PlacedRow {
  /** Its place among the holds that were asked for, from 1. */
  readonly place: number;
  /** The credits that are available after it, in micro-credits. */
  readonly available_after: string;
}

/** Those that the statement admitted. */
export async function placeHoldsTogether(db: Queryable, holds: readonly PlaceHold[]): Promise<PlacedRow[]> {
  const { rows } = await db.query<PlacedRow>({
    name: 'place-holds',
    text: placeHoldsSql,
    values: [
      holds.map(({ billableId }) => billableId),
      holds.map(({ accountId }) => accountId),
      holds.map(({ amount }) => amount.toString()),
      holds.map(({ inquireAfter }) => inquireAfter),
      holds.map(({ now }) => now),
    ],
  });
  return rows;
}
