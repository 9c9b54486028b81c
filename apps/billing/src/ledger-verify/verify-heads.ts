import type pg from 'pg';
import type { Finding } from './findings.js';
import type { AccountRange } from './verify-chains.js';

const PAGE_ACCOUNTS = 2_000;

interface HeadRow {
  readonly account_id: string;
  readonly head_seq: string;
  readonly head_hash: string;
  readonly head_balance: string;
  readonly balance: string | null;
  readonly entry_id: string | null;
  readonly entry_seq: string | null;
  readonly entry_hash: string | null;
  readonly entry_balance: string | null;
}

/** Head, balance and last entry in one statement, so in one snapshot: the service may write meanwhile. */
const headsSql = `
SELECT h.account_id, h.entry_seq AS head_seq, h.last_hash AS head_hash, h.balance_micro AS head_balance,
       b.balance_micro AS balance, e.entry_id, e.entry_seq, e.hash AS entry_hash, e.balance_after_micro AS entry_balance
  FROM (SELECT * FROM ledger_heads WHERE account_id > $1 AND account_id >= $2 AND ($3::text IS NULL OR account_id = $3)
         ORDER BY account_id LIMIT $4) AS h
  LEFT JOIN account_balances b ON b.account_id = h.account_id
  LEFT JOIN LATERAL (SELECT entry_id, entry_seq, hash, balance_after_micro FROM ledger_entries
                      WHERE account_id = h.account_id ORDER BY entry_seq DESC LIMIT 1) AS e ON true
 ORDER BY h.account_id`;

/** Every head against the last entry of its account and against the balance that holds are taken from. */
export async function verifyHeads(
  pool: pg.Pool,
  range: AccountRange,
  onFinding: (finding: Finding) => void,
): Promise<number> {
  let heads = 0;
  for (let after = ''; ;) {
    const { rows } = await pool.query<HeadRow>(headsSql, [after, range.from ?? '', range.only ?? null, PAGE_ACCOUNTS]);
    heads += rows.length;
    for (const row of rows) {
      const fault = faultOf(row);
      if (fault !== undefined) onFinding({ ...fault, accountId: row.account_id, entryId: row.entry_id });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ACCOUNTS) return heads;
    after = last.account_id;
  }
}

function faultOf(row: HeadRow): Pick<Finding, 'kind' | 'sequence' | 'detail'> | undefined {
  const head = BigInt(row.head_seq);
  const last = BigInt(row.entry_seq ?? '0');
  if (last < head) {
    const gap = last + 1n === head ? `entry ${head} is` : `entries ${last + 1n} to ${head} are`;
    return { kind: 'missing', sequence: `${last + 1n}`, detail: `${gap} missing at the end: the head names ${head}` };
  }
  if (last > head) {
    const detail = `${row.entry_id ?? ''} at ${last} is beyond the head, which names ${head}`;
    return { kind: 'inserted', sequence: `${head + 1n}`, detail };
  }
  if (row.entry_hash !== null && row.entry_hash !== row.head_hash) {
    const detail = `the head has the hash ${row.head_hash}, the last entry ${row.entry_hash}`;
    return { kind: 'head', sequence: `${head}`, detail };
  }
  const balances = [row.head_balance, row.balance ?? '0', row.entry_balance ?? '0'];
  if (new Set(balances).size > 1) {
    const [ofHead, ofAccount, ofEntry] = balances;
    const detail = `the balance is ${ofAccount} micro-credits, ${ofHead} by the head, ${ofEntry} by the last entry`;
    return { kind: 'head', sequence: `${head}`, detail };
  }
  return undefined;
}
