/** A sum of fractions that loses nothing: numerators are kept by their denominator. */
export class ExactSum {
  private readonly numerators = new Map<bigint, bigint>();

  /** `denominator` above 0. */
  add(numerator: bigint, denominator: bigint): void {
    this.numerators.set(denominator, (this.numerators.get(denominator) ?? 0n) + numerator);
  }

  /** The nearest multiple of `unit` (above 0), as its number; of two that are as near, the even one. */
  roundedTo(unit: bigint): bigint {
    let [numerator, denominator] = [0n, 1n];
    for (const [under, over] of this.numerators) {
      const common = greatestCommonDivisor(denominator, under);
      numerator = numerator * (under / common) + over * (denominator / common);
      denominator *= under / common;
    }
    return halfEven(numerator, denominator * unit);
  }
}

function halfEven(numerator: bigint, denominator: bigint): bigint {
  const remainder = ((numerator % denominator) + denominator) % denominator;
  const below = (numerator - remainder) / denominator;
  const twice = remainder * 2n;
  const up = twice > denominator || (twice === denominator && below % 2n !== 0n);
  return up ? below + 1n : below;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller > 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
