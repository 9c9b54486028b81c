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

/** Of a task, and what is loaded for it: one with a schema needs more. */
export const SELECT_KIND = 'select';
export const SCHEMA_KIND = 'select-and-check';

export interface SelectionSettings {
  /** Milliseconds that all of a task may take. */
  readonly timeoutMs: number;
}

/** The selected values by name as JSON, and where the data does not fit the schema; or why there is neither. */
export type SelectAnswer = { readonly json: string; readonly misfit?: string } | { readonly failed: string };

/** Documents are large: they cross after a line of their own and not as a text within JSON, which would be escaped. */
export const withDocument = (head: object, document: string): string => `${JSON.stringify(head)}\n${document}`;

export function readDocument<T>(text: string): { readonly head: T; readonly document: string } {
  const end = text.indexOf('\n');
  return { head: JSON.parse(text.slice(0, end)) as T, document: text.slice(end + 1) };
}
