import {
  addCredits,
  creditsFromMicro,
  maxCredits,
  multiplyRoundedUp,
  ZERO_CREDITS,
  type Credits,
} from '@capability-router/kernel';
import type { PriceRule } from '@capability-router/contracts';

/** Units of one tier and what they cost. */
export interface ChargePart {
  /** Counts from 1; the first is the rule's own amount. */
  readonly tier: number;
  readonly units: number;
  /** The price of `perUnits` units. */
  readonly price: Credits;
  /** Rounded up once. */
  readonly amount: Credits;
}

export interface Charge {
  readonly amount: Credits;
  /** Tiers that charged units fall in, in order. Empty where every unit is free, or there is none. */
  readonly parts: readonly ChargePart[];
  /** The minimum is charged in place of the parts. */
  readonly isMinimum: boolean;
}

/**
 * The cost of a number of units: the one function behind bound, bill and quote. It never falls when units are added, so a
 * bill of no more units than the bound never costs more. Throws `RangeError` beyond what an account can hold.
 */
export function chargeFor(rule: PriceRule, units: number): Charge {
  const freeUnits = rule.freeUnits ?? 0;
  // Within its free units a call costs nothing, not even the minimum.
  if (freeUnits > 0 && units <= freeUnits) return { amount: ZERO_CREDITS, parts: [], isMinimum: false };
  const parts = partsOf(rule, freeUnits, units);
  const sum = parts.reduce((total, part) => addCredits(total, part.amount), ZERO_CREDITS);
  const minimum = credits(rule.minimumMicroCredits ?? '0');
  return { amount: maxCredits(minimum, sum), parts, isMinimum: minimum > sum };
}

/** The charged units are those after `freeUnits`; each tier gets its share of them. */
function partsOf(rule: PriceRule, freeUnits: number, units: number): ChargePart[] {
  const tiers = [{ aboveUnits: 0, amountMicroCredits: rule.amountMicroCredits }, ...(rule.tiers ?? [])];
  return tiers.flatMap(({ aboveUnits, amountMicroCredits }, index) => {
    const from = Math.max(aboveUnits, freeUnits);
    const to = Math.min(tiers[index + 1]?.aboveUnits ?? units, units);
    if (to <= from) return [];
    const price = credits(amountMicroCredits);
    const amount = multiplyRoundedUp(price, BigInt(to - from), BigInt(rule.perUnits ?? 1));
    return [{ tier: index + 1, units: to - from, price, amount }];
  });
}

const credits = (micro: string): Credits => creditsFromMicro(BigInt(micro));
