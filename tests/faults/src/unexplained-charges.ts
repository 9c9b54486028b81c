import { isUnknown } from './availability/seen-by-clients.js';
import type { CallOutcome } from './load.js';

/**
 * The charges that no answer allows for, by execution; `charged` has the account of each charge. A charge belongs to a call
 * that was answered with success, or whose answer left open what became of it: where that answer named the execution, to this
 * one, and where the connection broke, to any one of its account. So no call that was answered 503 was charged, of which
 * the answer names no execution.
 */
export function unexplainedCharges(
  charged: ReadonlyMap<string, string>,
  outcomes: readonly CallOutcome[],
): readonly string[] {
  const allowing = outcomes.filter((outcome) => outcome.success === true || isUnknown(outcome));
  const named = new Set(allowing.flatMap(({ executionId = [] }) => executionId));
  const unnamed = new Map<string, number>();
  for (const { accountId, executionId } of allowing) {
    if (executionId === undefined) unnamed.set(accountId, (unnamed.get(accountId) ?? 0) + 1);
  }
  return [...charged].flatMap(([id, accountId]) => {
    if (named.has(id)) return [];
    const left = unnamed.get(accountId) ?? 0;
    unnamed.set(accountId, left - 1);
    return left > 0 ? [] : [id];
  });
}
