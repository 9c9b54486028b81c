import {
  creditsFromMicro,
  formatCredits,
  maxCredits,
  multiplyRoundedUp,
  ZERO_CREDITS,
  type Credits,
  type JsonObject,
  type JsonValue,
} from '@capability-router/kernel';
import type { Bill, PriceRule } from '@capability-router/contracts';
import { rowsAt } from './result-rows.js';

const BYTES_PER_KILOBYTE = 1_024;

/** A bill together with the amount that settlement will charge. */
export interface PricedCall {
  readonly amount: Credits;
  readonly bill: Bill;
}

/** The most that a call with these parameters can cost; what is held before dispatch. 0: nothing is held. */
export function upperBound(rule: PriceRule, parameters: JsonObject): Credits {
  return chargeFor(rule, maxUnits(rule, parameters));
}

/** The least that a valid result of such a call costs. An empty result is not valid, so at least one row is billed. */
export function leastCharge(rule: PriceRule, parameters: JsonObject): Credits {
  const most = maxUnits(rule, parameters);
  return chargeFor(rule, rule.metering.kind === 'result_rows' ? Math.min(1, most) : most);
}

/**
 * What a valid result costs. Units are capped by the same number as the upper bound and the amount comes from the same
 * function, so a capture can never exceed its hold, whatever the provider returned.
 */
export function billResult(rule: PriceRule, parameters: JsonObject, data: JsonValue): PricedCall {
  const bound = maxUnits(rule, parameters);
  const measured = rule.metering.kind === 'result_rows' ? (rowsAt(data, rule.metering.path)?.length ?? 0) : bound;
  const units = Math.min(measured, bound);
  const amount = chargeFor(rule, units);
  if (amount === 0n) return { amount, bill: { summary: 'Free', listAmountMicroCredits: '0', chargeLines: [] } };
  const description = describe(rule, units, amount);
  return {
    amount,
    bill: {
      summary: `${description} = ${formatCredits(amount)} credits`,
      listAmountMicroCredits: amount.toString(),
      chargeLines: [
        {
          componentKey: rule.metering.kind,
          description,
          quantity: units,
          unitLabel: rule.unitLabel,
          amountMicroCredits: amount.toString(),
        },
      ],
    },
  };
}

/** The bill of a call that failed, was refused, or returned nothing. */
export const notCharged: PricedCall = {
  amount: ZERO_CREDITS,
  bill: { summary: 'Not charged', listAmountMicroCredits: '0', chargeLines: [] },
};

function chargeFor(rule: PriceRule, units: number): Credits {
  const price = creditsFromMicro(BigInt(rule.amountMicroCredits));
  const minimum = creditsFromMicro(BigInt(rule.minimumMicroCredits ?? '0'));
  return maxCredits(minimum, multiplyRoundedUp(price, BigInt(units), 1n));
}

function maxUnits(rule: PriceRule, parameters: JsonObject): number {
  const metering = rule.metering;
  switch (metering.kind) {
    case 'call':
      return 1;
    case 'result_rows': {
      const asked = metering.limitParameter === undefined ? undefined : parameters[metering.limitParameter];
      const limit = asked ?? metering.defaultLimit ?? metering.maxUnits;
      // A limit that is not a whole number from 0 bounds nothing: the tool may still return its maximum.
      const usable = typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 0;
      return usable ? Math.min(limit, metering.maxUnits) : metering.maxUnits;
    }
    case 'parameter_kilobytes': {
      const text = parameters[metering.parameter];
      if (typeof text !== 'string') return 0;
      return Math.min(Math.ceil(Buffer.byteLength(text, 'utf8') / BYTES_PER_KILOBYTE), metering.maxUnits);
    }
  }
}

function describe(rule: PriceRule, units: number, amount: Credits): string {
  const price = creditsFromMicro(BigInt(rule.amountMicroCredits));
  const label = units === 1 ? rule.unitLabel : `${rule.unitLabel}s`;
  const usage = `${units} ${label} × ${formatCredits(price)} credits`;
  return amount > multiplyRoundedUp(price, BigInt(units), 1n) ? `Minimum charge (${usage})` : usage;
}
