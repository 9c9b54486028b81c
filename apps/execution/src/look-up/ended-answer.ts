import type { ExecutionId, JsonObject } from '@capability-router/kernel';
import { recordedAnswer } from '../call/answer/domain/capability-answer.js';
import { executeAnswer, type ExecuteAnswer } from '../call/answer/domain/execute-answer.js';
import { interruptedAnswer } from '../call/answer/domain/answers-without-result.js';
import type { ExecutionEnd } from '../call/journal/domain/execution-end.js';
import type { AnswerKeeper, FoundAnswer } from '../idempotency/kept-answer.js';

/** The answer to a call that ended, as far as it is still there. */
export interface EndedAnswer {
  readonly body: JsonObject;
  readonly httpStatus: number;
  /** The reason why the result is not in it; absent where it is, and where the call has none. */
  readonly missing?: 'interrupted' | 'not_kept';
}

const resultGone =
  'The result of this call is not kept. Only calls with an Idempotency-Key keep theirs, for as long as the key is remembered.';

/** The first answer where it is kept, else what the record of the end holds. */
export async function endedAnswer(
  executionId: ExecutionId,
  end: ExecutionEnd,
  kept: FoundAnswer | undefined,
  keeper: AnswerKeeper,
): Promise<EndedAnswer> {
  const httpStatus = end.data.httpStatusCode;
  if (kept !== undefined) {
    const { body, whole } = await keeper.replay(kept);
    return whole ? { body, httpStatus } : { body, httpStatus, missing: 'not_kept' };
  }
  switch (end.type) {
    case 'ExecutionInterrupted':
      return { ...answerOf(interruptedAnswer(executionId, end.data), end), missing: 'interrupted' };
    case 'ExecutionRefused':
      return answerOf(callAnswer(executionId, end, {}), end);
    case 'ExecutionCompleted': {
      // A failure has no result; an empty result may say why it is empty.
      if (!end.data.success && end.data.outcome.outcome !== 'empty_result') {
        return answerOf(callAnswer(executionId, end, { data: {} }), end);
      }
      return { ...answerOf(callAnswer(executionId, end, { message: resultGone }), end), missing: 'not_kept' };
    }
  }
}

/** Everything that the record holds, and that is all but the result and the faults of a refusal one by one. */
function callAnswer(
  executionId: ExecutionId,
  { data }: Exclude<ExecutionEnd, { type: 'ExecutionInterrupted' }>,
  result: JsonObject,
): ExecuteAnswer {
  const { durationMs: elapsedMs, success, outcome, bill, errorMessage, httpStatusCode } = data;
  return executeAnswer(httpStatusCode, {
    executionId,
    elapsedMs,
    success,
    outcome,
    result,
    bill,
    ...(errorMessage === undefined ? {} : { errorMessage }),
  });
}

/** In the shape of what was asked: a Call, or a capability. */
function answerOf(answer: ExecuteAnswer, { data }: ExecutionEnd): EndedAnswer {
  const { body, httpStatus } = recordedAnswer(answer, data);
  return { body, httpStatus };
}
