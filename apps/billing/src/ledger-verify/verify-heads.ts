import type pg from 'pg';
import type { Finding } from './findings.js';
import type { AccountRange } from './verify-chains.js';
import { readHeads, type HeadRow } from './verify-heads.sql.js';

const PAGE_ACCOUNTS = 2_000;

/** Every head against the last entry of its account and against the balance that holds are taken from. */
export async function verifyHeads(
  pool: pg.Pool,
  range: AccountRange,
  onFinding: (finding: Finding) => void,
): Promise<number> {
  let heads = 0;
  for (let after = ''; ;) {
    const rows = await readHeads(pool, range, after, PAGE_ACCOUNTS);
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
