import { expect } from '@jest/globals';
import type { Books } from '../books.js';
import { pause, type CallOutcome, type LoadAccount } from '../load.js';
import { CLIENTS, type Fault } from './fault.js';

/** The price of the tool that the load calls. */
const PRICE_MICRO_CREDITS = 500_000n;
const CANNOT_PAY = 402;
/** Far above the calls that a poor account can pay. */
const MAX_CALLS = 100;

/** The fault, played while many accounts spend their last credits. */
export const whileCreditsRunOut = (fault: Fault): Fault => ({
  ...fault,
  name: `${fault.name}, while accounts run out of credits`,
  promised: { ...fault.promised, refusals: [CANNOT_PAY] },
  accounts: { count: 64, credits: 2 },
});

/** Its call was served, or refused for want of credits. */
export const isServedOrRefused = ({ success, status }: CallOutcome): boolean =>
  success === true || status === CANNOT_PAY;

/**
 * Calls with each account until it is told that it cannot pay, and holds that answer to the books: who can pay a call is
 * not refused, and nobody is below zero. Resolves with what was answered.
 */
export async function spendTheRest<Outcome extends CallOutcome>(
  accounts: readonly LoadAccount[],
  books: Books,
  call: (account: LoadAccount) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = [...accounts];
  const spend = async (): Promise<void> => {
    for (let account = waiting.pop(); account !== undefined; account = waiting.pop()) {
      for (let turn = 0; turn < MAX_CALLS; turn += 1) {
        const outcome = await call(account);
        outcomes.push(outcome);
        if (outcome.status === CANNOT_PAY) break;
        await pause(20);
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, spend));
  const available = await books.available(accounts.map(({ accountId }) => accountId));
  const wrong = accounts.flatMap(({ accountId }) => {
    const left = available.get(accountId) ?? -1n;
    return left >= 0n && left < PRICE_MICRO_CREDITS ? [] : [`${accountId} was refused with ${left} micro-credits`];
  });
  expect(wrong).toEqual([]);
  return outcomes;
}
