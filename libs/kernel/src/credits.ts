/**
 * Money. One credit is 1,000,000 micro-credits; every amount in the code is a whole number of micro-credits (`bigint`).
 * In SQL: BIGINT. In events: decimal strings, `amountMicroCredits`. In the HTTP API: JSON numbers of credits.
 */
declare const microCreditsBrand: unique symbol;

/** A whole number of micro-credits. */
export type Credits = bigint & { readonly [microCreditsBrand]: true };

export const MICRO_CREDITS_PER_CREDIT = 1_000_000n;

/** Above this, a JSON number with six decimals could no longer be exact: 9e9 credits = 9e15 micro-credits < 2^53. */
export const MAX_ABSOLUTE_CREDITS = 9_000_000_000n;
const maxAbsoluteMicroCredits = MAX_ABSOLUTE_CREDITS * MICRO_CREDITS_PER_CREDIT;

export const ZERO_CREDITS = 0n as Credits;

/** Wraps a number of micro-credits. Throws `RangeError` beyond ±9,000,000,000 credits. */
export function creditsFromMicro(micro: bigint): Credits {
  if (micro > maxAbsoluteMicroCredits || micro < -maxAbsoluteMicroCredits) {
    throw new RangeError(`amount of ${micro} micro-credits is beyond ±${MAX_ABSOLUTE_CREDITS} credits`);
  }
  return micro as Credits;
}

const decimalPattern = /^(-?)(\d+)(?:\.(\d{1,6}))?$/;

/** Parses a decimal string of credits with at most six decimals. Throws `RangeError` for anything else. */
export function parseCredits(text: string): Credits {
  const match = decimalPattern.exec(text);
  if (match === null) throw new RangeError(`"${text}" is not an amount of credits with at most six decimals`);
  const [, sign, whole = '0', fraction = ''] = match;
  const magnitude = BigInt(whole) * MICRO_CREDITS_PER_CREDIT + BigInt(fraction.padEnd(6, '0'));
  return creditsFromMicro(sign === '-' ? -magnitude : magnitude);
}

/** A JSON number of credits to `Credits`; it must have at most six decimals. Throws `RangeError` otherwise. */
export function creditsFromNumber(value: number): Credits {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not an amount of credits`);
  const micro = value * 1_000_000;
  const rounded = Math.round(micro);
  // A decimal literal with six places lands within half a unit in the last place of its whole number of micro-credits.
  if (Math.abs(micro - rounded) > Math.max(1e-6, Math.abs(micro) * 4 * Number.EPSILON)) {
    throw new RangeError(`${value} has more than six decimals`);
  }
  return creditsFromMicro(BigInt(rounded));
}

/** The JSON number of credits that the HTTP API shows. Exact, because of the bound on absolute amounts. */
export function creditsToNumber(amount: Credits): number {
  return Number(amount) / 1_000_000;
}

/** The shortest decimal string of credits, e.g. `"5"`, `"0.25"`. */
export function formatCredits(amount: Credits): string {
  const negative = amount < 0n;
  const magnitude = negative ? -amount : amount;
  const whole = magnitude / MICRO_CREDITS_PER_CREDIT;
  const fraction = (magnitude % MICRO_CREDITS_PER_CREDIT).toString().padStart(6, '0').replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

export function addCredits(a: Credits, b: Credits): Credits {
  return creditsFromMicro(a + b);
}

export function subtractCredits(a: Credits, b: Credits): Credits {
  return creditsFromMicro(a - b);
}

/**
 * price × units ÷ divisor, rounded up once. The only place where a charge line is rounded, so that a bill and its
 * upper bound can never round differently.
 */
export function multiplyRoundedUp(price: Credits, units: bigint, divisor: bigint): Credits {
  if (divisor <= 0n || units < 0n || price < 0n) throw new RangeError('price, units and divisor must not be negative');
  return creditsFromMicro((price * units + divisor - 1n) / divisor);
}

export function maxCredits(a: Credits, b: Credits): Credits {
  return a > b ? a : b;
}

export function minCredits(a: Credits, b: Credits): Credits {
  return a < b ? a : b;
}
