import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { idsThatBreak } from './ids-that-break.sql.js';
import { moneyInvariants, readEntries } from './money-invariants.sql.js';
import { hashEntry, type LedgerEntry } from '../ledger/domain/entry.js';
import { ledgerEntryFromRow } from '../ledger/ledger-row.js';

export interface InvariantViolation {
  readonly invariant: string;
  /** Account, entry, execution or search ids; at most `MAX_EXAMPLES`. */
  readonly ids: readonly string[];
}

const MAX_EXAMPLES = 20;

/** All invariants over the whole database, in one snapshot. An empty list is sound books. */
export function checkInvariants(pool: pg.Pool): Promise<InvariantViolation[]> {
  return listViolations(pool, moneyInvariants, async (client) => {
    const broken = await brokenHashes(client);
    return broken.length > 0 ? [{ invariant: 'every hash recomputes', ids: broken }] : [];
  });
}

/** Runs queries that each list what breaks one invariant, and `more`, in one snapshot. */
export async function listViolations(
  pool: pg.Pool,
  queries: Readonly<Record<string, string>>,
  more: (client: pg.PoolClient) => Promise<InvariantViolation[]> = () => Promise.resolve([]),
): Promise<InvariantViolation[]> {
  return inTransaction(
    pool,
    async (client) => {
      const violations: InvariantViolation[] = [];
      for (const [invariant, query] of Object.entries(queries)) {
        const ids = await idsThatBreak(client, query, MAX_EXAMPLES);
        if (ids.length > 0) violations.push({ invariant, ids });
      }
      violations.push(...(await more(client)));
      return violations;
    },
    { isolation: 'snapshot', readOnly: true },
  );
}

const HASH_PAGE = 5_000;

async function brokenHashes(client: pg.PoolClient): Promise<string[]> {
  const broken: string[] = [];
  let after = '0';
  for (;;) {
    const rows = await readEntries(client, after, HASH_PAGE);
    const entries: LedgerEntry[] = rows.map(ledgerEntryFromRow);
    broken.push(...entries.filter((entry) => hashEntry(entry) !== entry.hash).map((entry) => entry.entryId));
    const last = rows.at(-1);
    if (last === undefined || broken.length >= MAX_EXAMPLES) return broken.slice(0, MAX_EXAMPLES);
    after = last.position;
  }
}
