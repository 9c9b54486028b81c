import type { Queryable } from '@capability-router/event-store';
import type { LedgerRoot } from './ledger-root.js';

interface RootRow {
  readonly root_seq: string;
  readonly ledger_date: string;
  readonly cut: string;
  readonly accounts: string;
  readonly entries: string;
  readonly balance_micro: string;
  readonly merkle_root: string;
  readonly previous_hash: string;
  readonly hash: string;
  readonly computed_at: Date;
}

const columns = `root_seq, to_char(ledger_date, 'YYYY-MM-DD') AS ledger_date, cut, accounts, entries, balance_micro,
       merkle_root, previous_hash, hash, computed_at`;

function toRoot(row: RootRow): LedgerRoot {
  return {
    rootSeq: BigInt(row.root_seq),
    ledgerDate: row.ledger_date,
    cut: BigInt(row.cut),
    accounts: BigInt(row.accounts),
    entries: BigInt(row.entries),
    balance: BigInt(row.balance_micro),
    merkleRoot: row.merkle_root,
    previousHash: row.previous_hash,
    hash: row.hash,
    computedAt: row.computed_at.toISOString(),
  };
}

export async function lastRoot(db: Queryable): Promise<LedgerRoot | undefined> {
  const { rows } = await db.query<RootRow>(`SELECT ${columns} FROM ledger_roots ORDER BY root_seq DESC LIMIT 1`);
  return rows[0] === undefined ? undefined : toRoot(rows[0]);
}

/** Oldest first. */
export async function rootsAfter(db: Queryable, rootSeq: bigint, limit: number): Promise<LedgerRoot[]> {
  const { rows } = await db.query<RootRow>(
    `SELECT ${columns} FROM ledger_roots WHERE root_seq > $1 ORDER BY root_seq LIMIT $2`,
    [rootSeq.toString(), limit],
  );
  return rows.map(toRoot);
}

export async function insertRoot(db: Queryable, root: LedgerRoot): Promise<void> {
  await db.query(
    `INSERT INTO ledger_roots (root_seq, ledger_date, version, cut, accounts, entries, balance_micro, merkle_root,
       previous_hash, hash, computed_at) VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      root.rootSeq.toString(),
      root.ledgerDate,
      root.cut.toString(),
      root.accounts.toString(),
      root.entries.toString(),
      root.balance.toString(),
      root.merkleRoot,
      root.previousHash,
      root.hash,
      root.computedAt,
    ],
  );
}

/** Numbers of the roots behind `rootSeq`. */
export async function rootsWrittenSince(db: Queryable, rootSeq: number): Promise<ReadonlySet<number>> {
  const { rows } = await db.query<{ root_seq: string }>('SELECT root_seq FROM ledger_roots WHERE root_seq > $1', [
    rootSeq,
  ]);
  return new Set(rows.map((row) => Number(row.root_seq)));
}
