/** Where the number of billed units of a call comes from. Each way has an upper bound that is known before the call. */
export type Metering =
  /** One unit. */
  | { readonly kind: 'call' }
  /**
   * Rows of the result: the length of the array at `path` (dot-separated under `result.data`, empty for the data
   * itself). At most the value of `limitParameter` where the caller set it, else `maxUnits`.
   */
  | {
      readonly kind: 'result_rows';
      readonly path: string;
      readonly limitParameter?: string;
      readonly defaultLimit?: number;
      readonly maxUnits: number;
    }
  /** Started kilobytes (1,024 bytes) of the UTF-8 text in the string parameter `parameter`. Known before the call. */
  | { readonly kind: 'parameter_kilobytes'; readonly parameter: string; readonly maxUnits: number };

/**
 * How a tool is priced. Amounts are decimal strings of micro-credits.
 * A charge is max(minimum, amount × units), one line, rounded up once.
 */
export interface PriceRule {
  readonly metering: Metering;
  /** Per unit; `"0"` is a free tool. */
  readonly amountMicroCredits: string;
  /** Least charge of a successful call. */
  readonly minimumMicroCredits?: string;
  /** Plural or singular noun for bills: `call`, `row`, `kilobyte`. */
  readonly unitLabel: 'call' | 'row' | 'kilobyte';
}
