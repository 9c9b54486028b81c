import {
  creditsFromMicro,
  formatCredits,
  ZERO_CREDITS,
  type Credits,
  type JsonObject,
  type JsonValue,
} from '@capability-router/kernel';
import type { Bill, ChargeLine, PriceRule } from '@capability-router/contracts';
import { chargeFor, type Charge } from './charge.js';
import { leastUnits, maxUnits, measuredUnits, mostUnits } from './units.js';
import { counted, pricePerUnit, timesPrice } from './words.js';

/** A bill together with the amount that settlement will charge. */
export interface PricedCall {
  readonly amount: Credits;
  readonly bill: Bill;
}

/** The most that a call with these parameters can cost; what is held before dispatch. 0: nothing is held. */
export function upperBound(rule: PriceRule, parameters: JsonObject): Credits {
  return chargeFor(rule, maxUnits(rule.metering, parameters)).amount;
}

/** The most that any call can cost. Throws `RangeError` beyond what an account can hold. */
export function dearestCall(rule: PriceRule): Credits {
  return chargeFor(rule, mostUnits(rule.metering)).amount;
}

/** The least that a valid result of such a call costs. An empty result is not valid, so at least one row is billed. */
export function leastCharge(rule: PriceRule, parameters: JsonObject): Credits {
  const charge = chargeFor(rule, leastUnits(rule.metering, parameters)).amount;
  const hit = cacheHitPrice(rule);
  return hit !== undefined && hit < charge ? hit : charge;
}

/** The cost of a call that is billed for the first units that cost anything: the price hint before there are parameters. */
export function startingPrice(rule: PriceRule): Credits {
  const units = (rule.freeUnits ?? 0) + (rule.perUnits ?? 1);
  return chargeFor(rule, Math.min(units, mostUnits(rule.metering))).amount;
}

/** How a result came about. */
export interface BilledResult {
  readonly data: JsonValue;
  /** Bytes of `data` as JSON in UTF-8, where they are known. */
  readonly sizeBytes?: number;
  /** Answered from the provider cache. */
  readonly fromCache?: boolean;
}

/**
 * The cost of a valid result. Units are capped by the same number as the upper bound and the amount comes from the same
 * function, so a capture can never exceed its hold, whatever the provider returned.
 */
export function billResult(rule: PriceRule, parameters: JsonObject, result: BilledResult): PricedCall {
  const bound = maxUnits(rule.metering, parameters);
  const measured = measuredUnits(rule.metering, parameters, result.data, result.sizeBytes) ?? 0;
  const charge = chargeFor(rule, Math.min(measured, bound));
  if (result.fromCache !== true)
    return priced(charge.amount, linesOf(rule, charge, measured, bound), free(rule, measured));
  return billHit(rule, charge, measured, bound);
}

/** Never more than the result would cost from the provider, which is what the hold covers. */
function billHit(rule: PriceRule, charge: Charge, measured: number, bound: number): PricedCall {
  const hit = cacheHitPrice(rule);
  const { amount, bill } =
    hit === undefined || hit >= charge.amount
      ? priced(charge.amount, linesOf(rule, charge, measured, bound), free(rule, measured), ', from the cache')
      : priced(hit, [line('cache_hit', 'Answered from the cache', 1, 'call', hit)], 'Free, from the cache');
  return { amount, bill: { ...bill, fromCache: true } };
}

/** The bill of a call that failed, was refused, or returned nothing. */
export const notCharged: PricedCall = {
  amount: ZERO_CREDITS,
  bill: { summary: 'Not charged', listAmountMicroCredits: '0', chargeLines: [] },
};

/** Undefined where the rule has no price of its own for a hit. */
function cacheHitPrice({ cacheHitMicroCredits: hit }: PriceRule): Credits | undefined {
  return hit === undefined ? undefined : creditsFromMicro(BigInt(hit));
}

function priced(amount: Credits, lines: readonly WordedLine[], freeSummary: string, note = ''): PricedCall {
  if (amount === 0n) return { amount, bill: { ...notCharged.bill, summary: `${freeSummary}${note}` } };
  const sum = lines.map(({ usage }) => usage).join(' + ');
  return {
    amount,
    bill: {
      summary: `${sum} = ${formatCredits(amount)} credits${note}`,
      listAmountMicroCredits: amount.toString(),
      chargeLines: lines.map(({ usage: _inSummary, ...chargeLine }) => chargeLine),
    },
  };
}

const free = ({ freeUnits = 0, unitLabel }: PriceRule, units: number): string =>
  freeUnits > 0 ? `Free: ${counted(units, unitLabel)}, the first ${freeUnits} cost nothing` : 'Free';

/** A line and what the summary says of it: with the quantity, which the line has a member for. */
interface WordedLine extends ChargeLine {
  readonly usage: string;
}

function linesOf(rule: PriceRule, charge: Charge, measured: number, bound: number): WordedLine[] {
  const { freeUnits = 0, unitLabel } = rule;
  const { kind } = rule.metering;
  const notes = [
    ...(freeUnits > 0 ? [`the first ${freeUnits} are free`] : []),
    ...(measured > bound ? [`of ${measured}; more than ${bound} are not charged`] : []),
  ];
  const note = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  const usages = charge.parts.map(({ units, price }) => `${counted(units, unitLabel)} ${timesPrice(price, rule)}`);
  if (charge.isMinimum) {
    const units = charge.parts.reduce((total, part) => total + part.units, 0);
    const price = creditsFromMicro(BigInt(rule.amountMicroCredits));
    const usage = usages.length === 0 ? `${counted(0, unitLabel)} ${timesPrice(price, rule)}` : usages.join(' + ');
    const description = `Minimum charge (${pricePerUnit(price, rule)})${note}`;
    return [line(kind, description, units, unitLabel, charge.amount, `Minimum charge (${usage})${note}`)];
  }
  const isGraduated = (rule.tiers ?? []).length > 0;
  return charge.parts.map(({ tier, units, price, amount }, index) => {
    // A fact about the call as a whole is stated once.
    const noted = index === charge.parts.length - 1 ? note : '';
    const key = isGraduated ? `${kind}.tier_${tier}` : kind;
    const usage = `${usages[index] ?? ''}${noted}`;
    return line(key, `${pricePerUnit(price, rule)}${noted}`, units, unitLabel, amount, usage);
  });
}

function line(
  componentKey: string,
  description: string,
  quantity: number,
  unitLabel: string,
  amount: Credits,
  usage = description,
): WordedLine {
  return { componentKey, description, quantity, unitLabel, amountMicroCredits: amount.toString(), usage };
}
