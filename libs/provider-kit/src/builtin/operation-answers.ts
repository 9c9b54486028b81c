/** How a runner process and the adapter of built-in tools speak of answers. */

export interface OperationsSettings {
  /** File URL of an `OperationsModule`. */
  readonly operationsUrl: string;
  readonly maxResultBytes: number;
}

export interface OperationRefusal {
  /** `unexpected` is a bug in the operation; its message is for the operator's log, never for the caller. */
  readonly reason: 'input' | 'unexpected' | 'unknown_operation' | 'too_large';
  readonly message: string;
}

/** No JSON begins with it. */
const REFUSAL_MARK = '!';

export const refusalText = (refusal: OperationRefusal): string => REFUSAL_MARK + JSON.stringify(refusal);

/** The refusal in a runner's answer; undefined where the answer is a result as JSON. */
export const readRefusal = (answer: string): OperationRefusal | undefined =>
  answer.startsWith(REFUSAL_MARK) ? (JSON.parse(answer.slice(REFUSAL_MARK.length)) as OperationRefusal) : undefined;
