import type { ExceededBudget, PlaceHoldResponse } from '@capability-router/contracts';
import { isUniqueViolation } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Budget } from '../budgets/domain/budgets-of-credential.js';
import { openBudgets } from '../budgets/open-budgets.sql.js';
import type { PlaceHold } from './domain/wanted-hold.js';
import { placeHoldAlone, type PlaceHoldRow } from './place-hold-alone.sql.js';

/**
 * Runs of the statement for one hold: the first, one after its budgets were opened, two more where a session beyond the
 * bound counts in another row, and one for rows that were purged in between.
 */
const MAX_RUNS = 5;

/**
 * Reserves `amount` for one execution or search. Equal inputs are answered alike however often they are sent, whatever
 * became of the budgets; other inputs for the same id, or a hold that has already ended, are a conflict. One statement,
 * except for the first hold under a budget, which opens its row.
 */
export async function placeHold(pool: pg.Pool, hold: PlaceHold): Promise<PlaceHoldResponse> {
  const first = await attempt(pool, hold);
  // A twin of this request may have taken the credits while this one waited for a row; a new snapshot shows its hold.
  const refused = first.status === 'insufficient_credits' || first.status === 'budget_exceeded';
  return refused ? attempt(pool, hold) : first;
}

async function attempt(pool: pg.Pool, hold: PlaceHold): Promise<PlaceHoldResponse> {
  let wanted = hold;
  const opened = new Set<string>();
  for (let runs = 0; runs < MAX_RUNS; runs += 1) {
    const result = interpret(wanted, await run(pool, wanted));
    if (result.unopened === undefined) return result.response;
    // A session whose row was asked for in vain is one too many for its key.
    const surplus = result.unopened.filter((budget) => budget.session !== undefined && opened.has(budget.budgetId));
    if (surplus.length > 0) {
      const budgets = wanted.budgets?.map((budget) => (surplus.includes(budget) ? sharedOf(budget) : budget));
      wanted = { ...wanted, budgets: budgets ?? [] };
      continue;
    }
    await openBudgets(pool, hold.accountId, result.unopened, hold.now);
    for (const { budgetId } of result.unopened) opened.add(budgetId);
  }
  throw new Error(`the budgets of ${hold.billableId} could not be opened`);
}

const sharedOf = (budget: Budget): Budget => budget.session?.shared ?? budget;

async function run(pool: pg.Pool, hold: PlaceHold): Promise<PlaceHoldRow> {
  try {
    return await placeHoldAlone(pool, hold);
  } catch (error) {
    // A twin was faster by less: both reserved, and the primary key undid this one.
    if (isUniqueViolation(error)) return placeHoldAlone(pool, hold);
    throw error;
  }
}

type Interpreted =
  | { readonly response: PlaceHoldResponse; readonly unopened?: undefined }
  /** Nothing was reserved, because these have no row yet. */
  | { readonly unopened: readonly Budget[] };

function interpret(hold: PlaceHold, row: PlaceHoldRow): Interpreted {
  if (row.available_after !== null) {
    return { response: { status: 'held', availableMicroCredits: row.available_after } };
  }
  const availableMicroCredits = row.available_before ?? '0';
  if (row.covered === true) return { response: { status: 'held', availableMicroCredits, covered: true } };
  if (row.existing_account !== null) {
    const equal = row.existing_account === hold.accountId && row.existing_amount === hold.amount.toString();
    const held = equal && row.existing_state === 'open';
    const covered = row.existing_covered === true ? { covered: true as const } : {};
    return { response: held ? { status: 'held', availableMicroCredits, ...covered } : { status: 'conflict' } };
  }
  const insufficient = { response: { status: 'insufficient_credits', availableMicroCredits } } as const;
  // More room in a budget would not help here, so the balance is told first.
  if (BigInt(availableMicroCredits) < hold.amount) return insufficient;
  const { budgets = [] } = hold;
  const used = new Map(row.found_budgets?.map(({ budgetId, usedMicro }) => [budgetId, BigInt(usedMicro)]));
  const exceeded = budgets.filter(({ budgetId, limit }) => (used.get(budgetId) ?? 0n) + hold.amount > limit);
  if (exceeded.length > 0) {
    const told = exceeded.map((budget) => exceededBudget(budget, used.get(budget.budgetId) ?? 0n));
    told.sort((a, b) => (BigInt(a.availableMicroCredits) < BigInt(b.availableMicroCredits) ? -1 : 1));
    return { response: { status: 'budget_exceeded', availableMicroCredits, budgets: told } };
  }
  const unopened = budgets.filter(({ budgetId }) => !used.has(budgetId));
  // With every row there, only the balance can have refused: it sank after this statement's snapshot.
  return unopened.length > 0 ? { unopened } : insufficient;
}

/** A limit can be lowered below what was spent under it: nothing is available then. */
function exceededBudget({ scope, limit, periodEndsAt }: Budget, used: bigint): ExceededBudget {
  return {
    scope,
    limitMicroCredits: limit.toString(),
    availableMicroCredits: (limit > used ? limit - used : 0n).toString(),
    ...(periodEndsAt === null ? {} : { periodEndsAt: periodEndsAt.toISOString() }),
  };
}
