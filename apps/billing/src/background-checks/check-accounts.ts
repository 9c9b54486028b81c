import { toIso, type Clock } from '@capability-router/kernel';
import type pg from 'pg';
import type { Logger } from 'pino';
import { accountInvariants, BATCH_ACCOUNTS, judgeAccounts, type AccountRow } from './check-accounts.sql.js';
import { runCheck } from './run-check.js';

/** Transactions of one round. */
const MAX_BATCHES = 10;
/** Ids that one log line names. */
const MAX_EXAMPLES = 20;

export const ACCOUNTS_CHECK = 'accounts';

type Broken = Readonly<Record<string, number>>;

export interface AccountsState {
  /** The last account that this pass has looked at. */
  readonly after: string;
  /** Accounts of this pass that break each invariant; those that none breaks are left out. */
  readonly broken: Broken;
  readonly checked: number;
  readonly passBegan: string | null;
  /** Accounts that broke each invariant in the last pass that came to its end. */
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
      const rows = await judgeAccounts(tx, state.after);
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
