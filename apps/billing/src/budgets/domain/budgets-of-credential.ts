import type { AccountAssertion, BudgetPeriod, CredentialBudgets, ExceededBudget } from '@capability-router/contracts';
import { creditsFromMicro, sha256Hex, type Credits } from '@capability-router/kernel';

/** Budgets that one hold can stand under; the statement that places it locks each. */
export const MAX_BUDGETS_OF_HOLD = 4;

/** A counter that a hold has to fit into, beside the balance. */
export interface Budget {
  /** Names its row: the credential with its period or session. */
  readonly budgetId: string;
  /** Absent where no key is counted for. */
  readonly apiKeyId?: string;
  readonly scope: ExceededBudget['scope'];
  readonly limit: Credits;
  /** Where the counter starts over; null: nowhere. */
  readonly periodEndsAt: Date | null;
  /** Present in the counter of one session. */
  readonly session?: {
    readonly hash: string;
    /** The counter of the session while its key has as many sessions as are kept. */
    readonly shared: Budget;
  };
}

/**
 * The budgets under which a hold of this credential stands at `nowMs`. A hold settles in the rows that are chosen here,
 * whenever that is. Calls that name no session are, per key and UTC day, one session.
 */
export function budgetsOfCredential(
  { apiKeyId, projectId, budgets }: Pick<AccountAssertion, 'apiKeyId' | 'projectId' | 'budgets'>,
  sessionId: string | undefined,
  nowMs: number,
): readonly Budget[] {
  if (budgets === undefined) return [];
  return [
    ...(apiKeyId === undefined ? [] : budgetsOfKey(apiKeyId, budgets, sessionId, nowMs)),
    ...(projectId === undefined ? [] : budgetsOfProject(projectId, budgets, nowMs)),
    ...delegated(budgets),
  ];
}

function budgetsOfKey(
  apiKeyId: string,
  { key, session }: CredentialBudgets,
  sessionId: string | undefined,
  nowMs: number,
): readonly Budget[] {
  return [
    ...(key === undefined ? [] : [keyBudget(apiKeyId, amountOf(key.limitMicroCredits), key.period, nowMs)]),
    ...(session === undefined ? [] : [sessionBudget(apiKeyId, amountOf(session.limitMicroCredits), sessionId, nowMs)]),
  ];
}

const amountOf = (text: string): Credits => creditsFromMicro(BigInt(text));

/** One counter for all credentials of the project, whichever of them pays. */
function budgetsOfProject(projectId: string, { project }: CredentialBudgets, nowMs: number): readonly Budget[] {
  if (project === undefined) return [];
  const { name, endsAt } = periodAt(project.period, nowMs);
  const limit = amountOf(project.limitMicroCredits);
  return [{ budgetId: `project:${projectId}:${name}`, scope: 'project', limit, periodEndsAt: endsAt }];
}

/** Over the life of the token, so that its counter has no period. */
const delegated = ({ delegation }: CredentialBudgets): readonly Budget[] =>
  delegation === undefined
    ? []
    : [
        {
          budgetId: `delegation:${delegation.tokenId}`,
          scope: 'delegation',
          limit: amountOf(delegation.limitMicroCredits),
          periodEndsAt: null,
        },
      ];

function keyBudget(apiKeyId: string, limit: Credits, period: BudgetPeriod, nowMs: number): Budget {
  const { name, endsAt } = periodAt(period, nowMs);
  return { budgetId: `key:${apiKeyId}:${name}`, apiKeyId, scope: 'key', limit, periodEndsAt: endsAt };
}

function sessionBudget(apiKeyId: string, limit: Credits, sessionId: string | undefined, nowMs: number): Budget {
  const day = periodAt('day', nowMs);
  const shared: Budget = {
    budgetId: `sessions:${apiKeyId}:${day.name}`,
    apiKeyId,
    scope: 'session',
    limit,
    periodEndsAt: day.endsAt,
  };
  if (sessionId === undefined || sessionId === '') return shared;
  const hash = sha256Hex(sessionId).slice(0, SESSION_HASH_LENGTH);
  return {
    budgetId: `session:${apiKeyId}:${hash}`,
    apiKeyId,
    scope: 'session',
    limit,
    periodEndsAt: null,
    session: { hash, shared },
  };
}

/** Hexadecimal digits: 128 bits. */
const SESSION_HASH_LENGTH = 32;
/** Characters of an ISO 8601 time. */
const DAY_LENGTH = 10;
const MONTH_LENGTH = 7;

function periodAt(period: BudgetPeriod, nowMs: number): { readonly name: string; readonly endsAt: Date | null } {
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  switch (period) {
    case 'total':
      return { name: 'total', endsAt: null };
    case 'day':
      return {
        name: now.toISOString().slice(0, DAY_LENGTH),
        endsAt: new Date(Date.UTC(year, month, now.getUTCDate() + 1)),
      };
    case 'month':
      return { name: now.toISOString().slice(0, MONTH_LENGTH), endsAt: new Date(Date.UTC(year, month + 1, 1)) };
  }
}
