/** The tasks and answers of the processes of `JsonataPool`; the documents beside them are the source, and the values by member. */

export const EVALUATE_KIND = 'evaluate';

export interface ExpressionTask {
  /** JSONata by the member that it makes. */
  readonly expressions: Readonly<Record<string, string>>;
}

/** Why an expression makes nothing. */
export interface ExpressionFault {
  /** The member that it was to make. */
  readonly member: string;
  /** A code of JSONata (`T2001`), or one of ours: `too_long`, `too_deep`, `forbidden`, `no_json`, `too_large`. Holds nothing of the source. */
  readonly code: string;
  /** In words, for whoever wrote the expression: it may show values of the source. */
  readonly detail: string;
}

export interface ExpressionAnswer {
  readonly fault?: ExpressionFault;
}
