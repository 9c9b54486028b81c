import { isNestedDeeper } from '@capability-router/kernel';
import { failure, type DispatchedAnswer } from '@capability-router/provider-kit';

/** Levels of lists and objects in a result: far below those at which serialising it again runs out of stack. */
export const MAX_RESULT_LEVELS = 500;

export interface BoundedAnswer {
  readonly answer: DispatchedAnswer;
  /** The data as JSON in UTF-8; absent where the tool failed. */
  readonly serialized?: Buffer;
}

/** A result that could not be passed on is a fault of the provider, and not charged. */
export function boundedAnswer(answer: DispatchedAnswer): BoundedAnswer {
  if (answer.kind === 'failed') return { answer };
  const serialized = serialize(answer);
  if (serialized !== undefined && !isNestedDeeper(serialized, MAX_RESULT_LEVELS)) return { answer, serialized };
  const message = `The tool answered with lists and objects nested more than ${MAX_RESULT_LEVELS} levels deep.`;
  return { answer: failure('provider_error', message, { retryable: false }) as DispatchedAnswer };
}

function serialize(answer: Extract<DispatchedAnswer, { kind: 'answered' }>): Buffer | undefined {
  try {
    return Buffer.from(answer.json ?? JSON.stringify(answer.data));
  } catch {
    // Nested beyond the stack.
    return undefined;
  }
}
