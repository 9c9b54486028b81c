import type { StackState } from '@capability-router/tools-stack';
import pg from 'pg';
import type { FinanceDatabase } from './finance-database.js';

/** The same rows in two databases; by `key`, an expression of both, each row is known. */
interface ComparedTable {
  readonly name: string;
  readonly key: string;
  /** Reads the table of finance, which the sink wrote. */
  readonly finance: string;
  /** Reads billing's own tables, and no service's answer. */
  readonly billing: string;
}

const msOf = (column: string): string => `floor(extract(epoch FROM ${column}) * 1000)::text`;

export const comparedTables: readonly ComparedTable[] = [
  {
    name: 'ledger_entries',
    key: `account_id || ' ' || entry_seq`,
    finance: `
SELECT entry_id, account_id, entry_seq, entry_type, amount_micro_credits AS amount, balance_before_micro_credits AS before,
       balance_after_micro_credits AS after, source_system, source_ref_type, source_ref_id, execution_id, description,
       ${msOf('effective_at')} AS effective_at, ${msOf('created_at')} AS created_at, previous_hash, hash, paid_amount, paid_currency, project_id
  FROM ledger_entries`,
    billing: `
SELECT entry_id, account_id, entry_seq, entry_type, amount_micro AS amount, balance_before_micro AS before,
       balance_after_micro AS after, source_system, source_ref_type, source_ref_id, execution_id, description,
       ${msOf('effective_at')} AS effective_at, ${msOf('created_at')} AS created_at, previous_hash, hash,
       metadata->>'paid_amount' AS paid_amount, metadata->>'paid_currency' AS paid_currency, metadata->>'project_id' AS project_id
  FROM ledger_entries`,
  },
  {
    name: 'what is left of each grant',
    key: 'lot_id',
    finance: `
SELECT account_id, lot_id, category, sum(amount_micro_credits)::text AS remaining
  FROM (SELECT e.account_id, m.* FROM ledger_entries e,
               jsonb_to_recordset(e.lots::jsonb) AS m (lot_id text, category text, amount_micro_credits bigint)) AS moved
 GROUP BY account_id, lot_id, category`,
    billing: 'SELECT account_id, lot_id, category, remaining_micro::text AS remaining FROM credit_lots',
  },
  {
    name: 'usage_settlements',
    key: `account_id || ' ' || settlement_seq`,
    finance: `
SELECT account_id, settlement_seq, source_ref_id, status, requested_micro_credits AS requested, settled_micro_credits AS settled,
       COALESCE(covered_micro_credits, 0) AS covered, ledger_entry_id, ${msOf('settled_at')} AS settled_at
  FROM usage_settlements`,
    billing: `
SELECT account_id, settlement_seq, source_ref_id, status, requested_micro AS requested, settled_micro AS settled,
       covered_micro AS covered, ledger_entry_id, ${msOf('settled_at')} AS settled_at
  FROM settlements`,
  },
  {
    name: 'balances',
    key: 'account_id',
    finance: `
SELECT account_id, balance_micro_credits AS balance, entry_seq, entry_id, ${msOf('as_of')} AS as_of FROM balances`,
    billing: `
SELECT b.account_id, b.balance_micro AS balance, e.entry_seq, e.entry_id, ${msOf('e.created_at')} AS as_of
  FROM account_balances b
  JOIN LATERAL (SELECT entry_seq, entry_id, created_at FROM ledger_entries l WHERE l.account_id = b.account_id
                 ORDER BY entry_seq DESC LIMIT 1) AS e ON true`,
  },
];

/** Rows of a table. */
const MAX_TOLD = 3;

/** Grants that have ended, and of which something is left. */
const NOT_EXPIRED_YET = `
SELECT count(*)::int AS grants FROM credit_lots WHERE expires_at <= now() AND remaining_micro > 0`;

interface KeyedRow {
  readonly key: string;
  readonly row: string;
}

/** Reads billing's own tables beside those of finance. */
export class ComparedTables {
  private readonly billing: pg.Pool;

  constructor(
    { databases }: StackState,
    private readonly finance: FinanceDatabase,
  ) {
    this.billing = new pg.Pool({ connectionString: databases.billing.ownerUrl, max: 2 });
    // It ends with the stack, which may be first.
    this.billing.on('error', () => undefined);
  }

  async grantsToExpire(): Promise<number> {
    return (await this.billing.query<{ grants: number }>(NOT_EXPIRED_YET)).rows[0]?.grants ?? 0;
  }

  /** Entries of the ledger by their type. */
  async entryTypes(): Promise<Map<string, number>> {
    const sql = 'SELECT entry_type AS type, count(*)::int AS entries FROM ledger_entries GROUP BY 1';
    const { rows } = await this.billing.query<{ type: string; entries: number }>(sql);
    return new Map(rows.map(({ type, entries }) => [type, entries]));
  }

  /** Rows that are in one database and not in the other, or otherwise there: the first ones of each table. */
  async differences(): Promise<string[]> {
    const found: string[] = [];
    for (const { name, key, finance, billing } of comparedTables) {
      const keyed = (sql: string): string =>
        `SELECT ${key} AS key, row_to_json(r)::text AS row FROM (${sql}) AS r ORDER BY key`;
      const there = await this.finance.rows<KeyedRow>(keyed(finance));
      const { rows: expected } = await this.billing.query<KeyedRow>(keyed(billing));
      if (there.length !== expected.length) found.push(`${name}: ${there.length} rows in place of ${expected.length}`);
      const byKey = new Map(there.map((one) => [one.key, one.row]));
      const differing = expected.filter((one) => byKey.get(one.key) !== one.row);
      for (const one of differing.slice(0, MAX_TOLD)) {
        found.push(`${name}: ${byKey.get(one.key) ?? 'no row'} in place of ${one.row}`);
      }
    }
    return found;
  }

  close(): Promise<void> {
    return this.billing.end();
  }
}
