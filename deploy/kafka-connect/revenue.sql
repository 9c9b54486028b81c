-- Revenue of one month of UTC, in the tables of tables.sql:
--   psql "$FINANCE_DATABASE" -v month=2026-03-01 -f deploy/kafka-connect/revenue.sql
-- One row for each category and currency. Credits are exact, in micro-credits: opening + granted - used + refunded
-- - expired - returned + corrected = closing. An entry belongs to the month in which it was booked. Money is that part of
-- what was paid for a grant which the credits are of it, not rounded. Entries without lots are counted, and in no other column.
WITH period AS (
  SELECT (:'month')::date::timestamp AT TIME ZONE 'UTC' AS begins,
         ((:'month')::date + interval '1 month') AT TIME ZONE 'UTC' AS ends
), moved AS (
  SELECT m.lot_id, COALESCE(m.category, 'unknown') AS category, m.amount_micro_credits AS amount, e.lots IS NULL AS untold,
         CASE WHEN e.created_at < p.begins THEN 'opening'
              WHEN m.lot_id = e.entry_id THEN 'granted'
              WHEN e.entry_type = 'consume_grant_expiry' THEN 'expired'
              WHEN e.entry_type = 'consume_payment_refund' THEN 'returned'
              WHEN e.entry_type = 'grant_charge_refund' THEN 'refunded'
              WHEN e.entry_type LIKE '%\_correction' THEN 'corrected'
              ELSE 'used' END AS kind
    FROM ledger_entries e CROSS JOIN period p
    LEFT JOIN LATERAL jsonb_to_recordset(e.lots::jsonb) AS m (lot_id text, category text, amount_micro_credits bigint) ON true
   WHERE e.created_at < p.ends
), lots AS (
  SELECT lot_id, category, count(*) FILTER (WHERE untold) AS entries_without_lots,
         COALESCE(sum(amount) FILTER (WHERE kind = 'opening'), 0) AS opening,
         COALESCE(sum(amount) FILTER (WHERE kind = 'granted'), 0) AS granted,
         COALESCE(-sum(amount) FILTER (WHERE kind = 'used'), 0) AS used,
         COALESCE(sum(amount) FILTER (WHERE kind = 'refunded'), 0) AS refunded,
         COALESCE(-sum(amount) FILTER (WHERE kind = 'expired'), 0) AS expired,
         COALESCE(-sum(amount) FILTER (WHERE kind = 'returned'), 0) AS returned,
         COALESCE(sum(amount) FILTER (WHERE kind = 'corrected'), 0) AS corrected,
         COALESCE(sum(amount), 0) AS closing
    FROM moved GROUP BY lot_id, category
)
SELECT l.category, g.paid_currency, sum(l.opening) AS opening, sum(l.granted) AS granted, sum(l.used) AS used,
       sum(l.refunded) AS refunded, sum(l.expired) AS expired, sum(l.returned) AS returned, sum(l.corrected) AS corrected,
       sum(l.closing) AS closing, sum(l.entries_without_lots) AS entries_without_lots,
       sum(g.paid_amount::numeric * (l.used - l.refunded) / g.amount_micro_credits) AS money_recognised,
       sum(g.paid_amount::numeric * l.expired / g.amount_micro_credits) AS money_expired,
       sum(g.paid_amount::numeric * l.returned / g.amount_micro_credits) AS money_returned,
       sum(g.paid_amount::numeric * l.closing / g.amount_micro_credits) AS money_deferred
  FROM lots l LEFT JOIN ledger_entries g ON g.entry_id = l.lot_id
 GROUP BY l.category, g.paid_currency ORDER BY l.category, g.paid_currency;
