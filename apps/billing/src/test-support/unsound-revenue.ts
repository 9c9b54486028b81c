import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { RevenueBook, type Revenue } from '../revenue/domain/revenue-book.js';
import { publishedLedger } from './published-lots.js';

const folder = new URL('../../../../deploy/kafka-connect/', import.meta.url);
const fileOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const COIN = 10_000;

/** Tables of the topic, as a sink fills them from what was published. */
async function fillTables(client: pg.PoolClient, entries: readonly object[]): Promise<void> {
  await client.query('CREATE SCHEMA finance; SET LOCAL search_path = finance');
  await client.query(fileOf('tables.sql'));
  await client.query(
    `INSERT INTO ledger_entries (entry_id, account_id, entry_seq, entry_type, amount_micro_credits, balance_before_micro_credits,
            balance_after_micro_credits, source_system, source_ref_type, source_ref_id, description, effective_at, created_at,
            previous_hash, hash, lots, paid_amount, paid_currency)
     SELECT "entryId", "accountId", "entrySeq", "entryType", "amountMicroCredits", "balanceBeforeMicroCredits",
            "balanceAfterMicroCredits", "sourceSystem", "sourceRefType", "sourceRefId", description, "effectiveAt", "createdAt",
            "previousHash", hash, lots, "paidAmount", "paidCurrency"
       FROM jsonb_to_recordset($1::jsonb) AS e ("entryId" text, "accountId" text, "entrySeq" bigint, "entryType" text,
            "amountMicroCredits" bigint, "balanceBeforeMicroCredits" bigint, "balanceAfterMicroCredits" bigint,
            "sourceSystem" text, "sourceRefType" text, "sourceRefId" text, description text, "effectiveAt" timestamptz,
            "createdAt" timestamptz, "previousHash" text, hash text, lots text, "paidAmount" text, "paidCurrency" text)`,
    [JSON.stringify(entries)],
  );
}

/** From billing's own tables, and not from what it publishes: what is left, used and lapsed of each category. */
const independentSql = `
SELECT l.category, sum(CASE WHEN l.granted_at < $2 THEN l.granted_micro ELSE 0 END
         - COALESCE(b.all_burned, 0) + COALESCE(r.all_back, 0))::text AS closing,
       sum(COALESCE(b.used, 0))::text AS used, sum(COALESCE(b.expired, 0))::text AS expired, sum(COALESCE(r.back, 0))::text AS back
  FROM public.credit_lots l
  LEFT JOIN (SELECT lot_id, sum(m.amount_micro) AS all_burned,
                    sum(m.amount_micro) FILTER (WHERE created_at >= $1 AND source_ref_type IN ('execution', 'search', 'import')) AS used,
                    sum(m.amount_micro) FILTER (WHERE created_at >= $1 AND entry_type = 'consume_grant_expiry') AS expired
               FROM public.lot_burns m JOIN public.ledger_entries e ON e.entry_id = m.ledger_entry_id WHERE created_at < $2 GROUP BY 1) AS b USING (lot_id)
  LEFT JOIN (SELECT lot_id, sum(m.amount_micro) AS all_back,
                    sum(m.amount_micro) FILTER (WHERE created_at >= $1 AND entry_type = 'grant_charge_refund') AS back
               FROM public.lot_restores m JOIN public.ledger_entries e ON e.entry_id = m.ledger_entry_id WHERE created_at < $2 GROUP BY 1) AS r USING (lot_id)
 WHERE l.granted_at < $2 GROUP BY l.category ORDER BY l.category`;

type Row = Readonly<Record<string, string | null>>;

const told = ({ credits }: Revenue): Row[] =>
  [...credits].map(([category, { closing, used, expired, refunded }]) => ({
    category,
    closing: `${closing}`,
    used: `${used}`,
    expired: `${expired}`,
    back: `${refunded}`,
  }));

/** Revenue of months that is told differently by the book, by the SQL of the guide, by billing's tables. */
export async function unsoundRevenue(owner: pg.Pool, months: readonly string[]): Promise<unknown[]> {
  const entries = await publishedLedger(owner);
  const client = await owner.connect();
  const unsound: unknown[] = [];
  try {
    await client.query('BEGIN');
    await fillTables(client, entries);
    for (const month of months) {
      const from = new Date(`${month}-01T00:00:00.000Z`);
      const before = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
      const book = new RevenueBook({ fromMs: from.getTime(), beforeMs: before.getTime() });
      for (const entry of entries) book.add(entry);
      const revenue = book.report(() => 2);
      const independent = await client.query<Row>(independentSql, [from, before]);
      if (JSON.stringify(independent.rows) !== JSON.stringify(told(revenue))) {
        unsound.push({ month, independent: independent.rows, told: told(revenue) });
      }
      const { rows } = await client.query<Row>(fileOf('revenue.sql').replaceAll(`:'month'`, `'${month}-01'`));
      unsound.push(...differencesOf(revenue, rows));
    }
    return unsound;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

function differencesOf({ credits, money }: Revenue, rows: readonly Row[]): unknown[] {
  const sum = (column: string, matches: (row: Row) => boolean): bigint =>
    rows.filter(matches).reduce((total, row) => total + BigInt(row[column] ?? '0'), 0n);
  const differing = [...credits].flatMap(([category, lines]) =>
    Object.entries(lines)
      .filter(([line, amount]) => sum(line, (row) => row['category'] === category) !== amount)
      .map(([line, amount]) => ({ category, line, amount, rows })),
  );
  const near = (currency: string, column: string, millionths: bigint): boolean => {
    const exact = rows
      .filter((row) => row['paid_currency'] === currency)
      .reduce((total, row) => total + Number(row[column] ?? '0') * 1e6, 0);
    return Math.abs(exact - Number(millionths)) <= COIN / 2 + 1;
  };
  const rounded = [...money].flatMap(([currency, { closing, expired, returned }]) =>
    (
      [
        ['money_deferred', closing],
        ['money_expired', expired],
        ['money_returned', returned],
      ] as const
    )
      .filter(([column, amount]) => !near(currency, column, amount))
      .map(([column, amount]) => ({ currency, column, amount, rows })),
  );
  return [...differing, ...rounded];
}
