/** A task of the pool selects these. */
export interface JsonPathSelection {
  /** RFC 9535. */
  readonly expression: string;
  /** Its member in the answer. */
  readonly name: string;
  /** Selects at most one value, which is then given bare and not in an array. */
  readonly singular: boolean;
  /** Only whether anything is selected is asked: the member is true or false. */
  readonly exists?: boolean;
}

export interface SelectTask {
  /** JSON. */
  readonly data: string;
  readonly selections: readonly JsonPathSelection[];
  /** JSON Schema 2020-12 that the data is checked against, as JSON. */
  readonly schema?: string;
}

/** Memory of a task, and of what is loaded for it: one with a schema needs more. */
export const SELECT_KIND = 'select';
export const SCHEMA_KIND = 'select-and-check';

/** The selected values by name as JSON, and where the data does not fit the schema; or why there is neither. */
export type SelectAnswer = { readonly json: string; readonly misfit?: string } | { readonly failed: string };
