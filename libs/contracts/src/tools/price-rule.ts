import { canonicalJson, creditsFromMicro, creditsToNumber, sha256Hex, type JsonValue } from '@capability-router/kernel';

/**
 * Where the number of billed units of a call comes from. Each way has an upper bound that is known before the call:
 * no call is billed for more than `maxUnits`, whatever its parameters and its result are.
 */
export type Metering =
  /** One unit. */
  | { readonly kind: 'call' }
  /**
   * Rows of the result: the length of the array at `path` (dot-separated under `result.data`, empty for the data
   * itself). At most the value of `limitParameter` where the caller set it, else `defaultLimit`, else `maxUnits`. What is
   * no whole number from 1 is no limit.
   */
  | {
      readonly kind: 'result_rows';
      readonly path: string;
      readonly limitParameter?: string;
      readonly defaultLimit?: number;
      readonly maxUnits: number;
    }
  /** Started kilobytes (1,024 bytes) of `result.data` as JSON in UTF-8, before it is shortened or projected. */
  | { readonly kind: 'result_kilobytes'; readonly maxUnits: number }
  /**
   * The units that the result says it used: the value at `path`, by its kind. A number counts itself (a started unit is a
   * whole one), a text its characters, a list its items. Bounded as rows are.
   */
  | {
      readonly kind: 'result_units';
      readonly path: string;
      readonly limitParameter?: string;
      readonly defaultLimit?: number;
      readonly maxUnits: number;
    }
  /** Started kilobytes (1,024 bytes) of the UTF-8 text in the string parameter `parameter`. Known before the call. */
  | { readonly kind: 'parameter_kilobytes'; readonly parameter: string; readonly maxUnits: number }
  /**
   * The value of a parameter, counted as in `result_units`; `defaultUnits`, else none, where the caller left it out.
   * Known before the call.
   */
  | {
      readonly kind: 'parameter_units';
      readonly parameter: string;
      readonly defaultUnits?: number;
      readonly maxUnits: number;
    };

/** Units above a number of them have a price of their own. */
export interface PriceTier {
  /** The first unit of the tier is the one after these. */
  readonly aboveUnits: number;
  readonly amountMicroCredits: string;
}

/**
 * How a tool is priced. Amounts are decimal strings of micro-credits.
 *
 * Every unit has the price of the tier that it falls in, counted from the first unit of the call; the first `freeUnits`
 * cost nothing. A line is price × units ÷ `perUnits`, rounded up once, one line a tier. A call that has charged units
 * costs at least the minimum. Members beyond the first three are absent in contracts of older builds.
 */
export interface PriceRule {
  readonly metering: Metering;
  /** The price of `perUnits` units up to the first tier; `"0"` is free. */
  readonly amountMicroCredits: string;
  /** Least charge of a successful call; not of one within its free units. */
  readonly minimumMicroCredits?: string;
  /** Singular noun for bills: `call`, `row`, `kilobyte`, or what the tool declares: `token`, `minute`. */
  readonly unitLabel: string;
  /** The units that an amount is for: 1000 where a price is one of 1,000 tokens. 1 where absent. */
  readonly perUnits?: number;
  /** Units of every call that cost nothing. This has nothing to do with an account's daily allowance. */
  readonly freeUnits?: number;
  /** By `aboveUnits`, ascending. */
  readonly tiers?: readonly PriceTier[];
  /** The price of a call that the provider cache answers; never more than the same result would cost from the provider. */
  readonly cacheHitMicroCredits?: string;
}

/** SHA-256 of the canonical rule, 64 lowercase hex digits: two services that hash alike mean the same price. */
export const hashPriceRule = (rule: PriceRule): string =>
  // A member that is undefined counts as absent.
  sha256Hex(canonicalJson(JSON.parse(JSON.stringify(rule)) as JsonValue));

/**
 * The terms of a rule that are shown beside its amount and minimum: in `billing_rule`, and in the audit's snapshot of
 * it.
 */
export interface PriceTerms {
  readonly per_units?: number;
  readonly free_units?: number;
  readonly tiers?: readonly { readonly above_units: number; readonly amount_credits: number }[];
  /** Units that one call is billed for at most. Absent for a price per call. */
  readonly max_units?: number;
  readonly cache_hit_amount_credits?: number;
}

export function priceTerms({ metering, perUnits, freeUnits, tiers, cacheHitMicroCredits: hit }: PriceRule): PriceTerms {
  return {
    ...(perUnits === undefined ? {} : { per_units: perUnits }),
    ...(freeUnits === undefined ? {} : { free_units: freeUnits }),
    ...(tiers === undefined
      ? {}
      : {
          tiers: tiers.map(({ aboveUnits, amountMicroCredits }) => ({
            above_units: aboveUnits,
            amount_credits: toNumber(amountMicroCredits),
          })),
        }),
    ...(metering.kind === 'call' ? {} : { max_units: metering.maxUnits }),
    ...(hit === undefined ? {} : { cache_hit_amount_credits: toNumber(hit) }),
  };
}

const toNumber = (micro: string): number => creditsToNumber(creditsFromMicro(BigInt(micro)));
