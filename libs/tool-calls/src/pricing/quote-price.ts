import { formatCredits, type Credits, type JsonObject } from '@capability-router/kernel';
import type { PriceRule } from '@capability-router/contracts';
import { leastCharge, upperBound } from './price-call.js';
import { plural } from './words.js';

/** The cost of a successful call with given parameters, as far as it can be known before it runs. */
export interface PriceQuote {
  /** The exact charge where `exact`, else the most that can be charged. */
  readonly estimate: Credits;
  readonly exact: boolean;
  /** The source of the number of units. */
  readonly basis: PriceRule['metering']['kind'];
  /** A sentence for people. */
  readonly detail: string;
}

/**
 * Exact where every valid result costs the same: the units are known beforehand, or the minimum charge is above
 * whatever the units can come to. A tool whose cached answers are cheaper is never exact.
 */
export function quotePrice(rule: PriceRule, parameters: JsonObject): PriceQuote {
  const most = upperBound(rule, parameters);
  const least = leastCharge(rule, parameters);
  const exact = most === least;
  return { estimate: most, exact, basis: rule.metering.kind, detail: describe(rule, least, most, exact) };
}

const unchargedSentence = 'A call that fails or returns nothing is not charged.';

function describe(rule: PriceRule, least: Credits, most: Credits, exact: boolean): string {
  if (most === 0n) return 'The call is free.';
  const amount = `${formatCredits(most)} ${most === 1_000_000n ? 'credit' : 'credits'}`;
  if (exact) return `A successful call costs ${amount}. ${unchargedSentence}`;
  const causes = [
    ...(rule.metering.kind.startsWith('result_') ? [`the number of ${plural(rule.unitLabel)}`] : []),
    ...(rule.cacheHitMicroCredits === undefined ? [] : ['whether it is answered from the cache']),
  ];
  return (
    `A successful call costs from ${formatCredits(least)} to ${amount}, by ${causes.join(' and ')}; ` +
    `the upper price is reserved and the rest given back. ${unchargedSentence}`
  );
}
