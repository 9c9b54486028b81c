import { totalsToJson } from './records/totals.js';
import { headKey, type Problem, type State } from './state/state.js';
import { ledgerStream, streams } from './streams.js';

/** Lines that a report lists of each kind; the counts are of all. */
const MAX_LISTED = 100;
const HEADS_AT_ONCE = 1_000;

export interface Listed<T> {
  readonly count: number;
  readonly first: readonly T[];
}

export interface Gap {
  readonly stream: string;
  readonly account_id: string;
  readonly from: number;
  readonly to: number;
}

/** The ledger of an account goes further than what was read, or ends at another balance. */
export interface BalanceDifference {
  readonly account_id: string;
  readonly balances_entry_seq: number;
  readonly read_entry_seq: number;
  readonly balances_micro_credits: string;
  readonly read_micro_credits: string;
}

export interface Report {
  /** Nothing is missing, nothing contradicts anything. */
  readonly complete: boolean;
  readonly totals: Readonly<Record<string, Record<string, { count: number; amount: string }>>>;
  readonly gaps: Listed<Gap>;
  readonly problems: Listed<Problem>;
  readonly balance_differences: Listed<BalanceDifference>;
}

/** Tells what was read and whether it is all. Memory does not grow with the number of accounts. */
export async function report(state: State): Promise<Report> {
  const [gaps, problems, differences] = [new Listing<Gap>(), new Listing<Problem>(), new Listing<BalanceDifference>()];
  const totals: Record<string, Record<string, { count: number; amount: string }>> = {};
  for (const { name } of streams) {
    totals[name] = totalsToJson(await state.totals(name));
    for await (const { accountId, missing } of state.gaps(name)) {
      for (const [from, to] of missing) gaps.add({ stream: name, account_id: accountId, from, to });
    }
  }
  for await (const problem of state.problems()) problems.add(problem);
  for await (const difference of balanceDifferences(state)) differences.add(difference);
  return {
    complete: gaps.count + problems.count + differences.count === 0,
    totals,
    gaps: gaps.listed(),
    problems: problems.listed(),
    balance_differences: differences.listed(),
  };
}

/**
 * A sequence without gaps does not show that its end is missing; the balances topic does, because it says how far the
 * ledger of each account goes.
 */
async function* balanceDifferences(state: State): AsyncGenerator<BalanceDifference> {
  let page: { accountId: string; entrySeq: number; balance: string }[] = [];
  const compare = async function* (): AsyncGenerator<BalanceDifference> {
    const heads = await state.heads(page.map(({ accountId }) => headKey(ledgerStream.name, accountId)));
    for (const [index, known] of page.entries()) {
      const head = heads[index];
      const read = { seq: head?.seq ?? 0, balance: head?.chain?.balance ?? '0' };
      if (read.seq > known.entrySeq || (read.seq === known.entrySeq && read.balance === known.balance)) continue;
      yield {
        account_id: known.accountId,
        balances_entry_seq: known.entrySeq,
        read_entry_seq: read.seq,
        balances_micro_credits: known.balance,
        read_micro_credits: read.balance,
      };
    }
    page = [];
  };
  for await (const known of state.balances()) {
    page.push(known);
    if (page.length >= HEADS_AT_ONCE) yield* compare();
  }
  yield* compare();
}

class Listing<T> {
  count = 0;
  private readonly first: T[] = [];

  add(one: T): void {
    this.count += 1;
    if (this.first.length < MAX_LISTED) this.first.push(one);
  }

  listed(): Listed<T> {
    return { count: this.count, first: this.first };
  }
}
