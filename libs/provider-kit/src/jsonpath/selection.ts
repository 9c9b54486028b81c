/** What a task of the pool selects. */
export interface JsonPathSelection {
  /** RFC 9535. */
  readonly expression: string;
  /** Its member in the answer. */
  readonly name: string;
  /** Selects at most one value, which is then given bare and not in an array. */
  readonly singular: boolean;
}

export interface SelectTask {
  /** JSON. */
  readonly data: string;
  readonly selections: readonly JsonPathSelection[];
}

/** The selected values by name as JSON, or why there are none. */
export type SelectAnswer = { readonly json: string } | { readonly failed: string };
