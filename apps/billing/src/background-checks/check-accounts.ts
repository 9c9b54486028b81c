import { toIso, type Clock } from '@capability-router/kernel';
import type pg from 'pg';
import type { Logger } from 'pino';
import { runCheck } from './run-check.js';

/** Accounts of one transaction. */
const BATCH_ACCOUNTS = 200;
/** Transactions of one round. */
const MAX_BATCHES = 10;
/** Of each account, the newest; the whole chain is for `caprouter ledger verify`. */
const ENTRIES_PER_ACCOUNT = 20;
/** Ids that one log line names. */
const MAX_EXAMPLES = 20;

export const ACCOUNTS_CHECK = 'accounts';

/** Conditions that hold for an account whose books are sound; each also stands in `invariants/`, for all rows at once. */
const soundAccount: Readonly<Record<string, string>> = {
  balance_is_head: 'c.balance_micro = COALESCE(h.balance_micro, 0)',
  balance_is_lots: 'c.balance_micro = l.remaining',
  available_not_negative: 'c.balance_micro >= c.held_micro',
  head_is_last_entry:
    'COALESCE(h.entry_seq, 0) = COALESCE(e.last_seq, 0) AND (e.last_hash IS NULL OR e.last_hash = h.last_hash)',
  chain_is_dense: 'COALESCE(e.dense, true)',
};
export const accountInvariants = Object.keys(soundAccount);

const checkSql = `
SELECT c.account_id, ${Object.entries(soundAccount)
  .map(([name, condition]) => `NOT (${condition}) AS ${name}`)
  .join(', ')}
  FROM (SELECT account_id, balance_micro, held_micro FROM account_balances
         WHERE account_id > $1 ORDER BY account_id LIMIT ${BATCH_ACCOUNTS}) AS c
  LEFT JOIN ledger_heads h USING (account_id)
  CROSS JOIN LATERAL (
    SELECT COALESCE(sum(remaining_micro), 0) AS remaining FROM credit_lots
     WHERE account_id = c.account_id AND NOT depleted) AS l
  CROSS JOIN LATERAL (
    SELECT max(entry_seq) AS last_seq, max(hash) FILTER (WHERE next_seq IS NULL) AS last_hash,
           bool_and(next_seq IS NULL OR next_seq = entry_seq + 1 AND next_before = balance_after_micro AND next_previous = hash)
             AS dense
      FROM (SELECT entry_seq, hash, balance_after_micro, lead(entry_seq) OVER w AS next_seq,
                   lead(balance_before_micro) OVER w AS next_before, lead(previous_hash) OVER w AS next_previous
              FROM (SELECT entry_seq, hash, previous_hash, balance_before_micro, balance_after_micro FROM ledger_entries
                     WHERE account_id = c.account_id ORDER BY entry_seq DESC LIMIT ${ENTRIES_PER_ACCOUNT}) AS newest
            WINDOW w AS (ORDER BY entry_seq)) AS chain) AS e
 ORDER BY c.account_id`;

type AccountRow = { readonly account_id: string } & Readonly<Record<string, boolean | string>>;
type Broken = Readonly<Record<string, number>>;

export interface AccountsState {
  /** The last account that this pass has looked at. */
  readonly after: string;
  /** Accounts of this pass that break each invariant; those that none breaks are left out. */
  readonly broken: Broken;
  readonly checked: number;
  readonly passBegan: string | null;
  /** Of the last pass that came to its end. */
  readonly lastBroken: Broken;
  readonly lastChecked: number;
  readonly lastPassAt: string | null;
}

const initial: AccountsState = {
  after: '',
  broken: {},
  checked: 0,
  passBegan: null,
  lastBroken: {},
  lastChecked: 0,
  lastPassAt: null,
};

/** Goes on with the pass over all accounts for a bounded number of them; the next round goes on there. */
export async function checkAccounts(pool: pg.Pool, clock: Clock, logger: Logger): Promise<AccountsState | undefined> {
  for (let batch = 1; ; batch += 1) {
    const nowMs = clock.nowMs();
    const found = new Map<string, string[]>();
    const check = { name: ACCOUNTS_CHECK, initial, nowMs, snapshot: true };
    const ran = await runCheck(pool, check, async (tx, state) => {
      const { rows } = await tx.query<AccountRow>(checkSql, [state.after]);
      for (const name of accountInvariants) {
        const ids = rows.filter((row) => row[name] === true).map((row) => row.account_id);
        if (ids.length > 0) found.set(name, ids);
      }
      return advance(state, rows, found, nowMs);
    });
    for (const [invariant, ids] of found) {
      logger.error(
        { invariant, count: ids.length, accounts: ids.slice(0, MAX_EXAMPLES) },
        'accounts break an invariant',
      );
    }
    if (ran === undefined || ran.after === '' || batch === MAX_BATCHES) return ran;
  }
}

function advance(
  state: AccountsState,
  rows: readonly AccountRow[],
  found: ReadonlyMap<string, readonly string[]>,
  nowMs: number,
): AccountsState {
  const broken = { ...state.broken };
  for (const [name, ids] of found) broken[name] = (broken[name] ?? 0) + ids.length;
  const checked = state.checked + rows.length;
  const passBegan = state.passBegan ?? toIso(nowMs);
  const last = rows.at(-1);
  if (rows.length === BATCH_ACCOUNTS && last !== undefined) {
    return { ...state, after: last.account_id, broken, checked, passBegan };
  }
  return { ...initial, lastBroken: broken, lastChecked: checked, lastPassAt: toIso(nowMs) };
}
