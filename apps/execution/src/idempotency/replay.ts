import type { JsonObject } from '@capability-router/kernel';
import { recordedAnswer } from '../call/answer/domain/capability-answer.js';
import { executeAnswer } from '../call/answer/domain/execute-answer.js';
import { interruptedAnswer } from '../call/answer/domain/answers-without-result.js';
import type { AnswerKeeper, ReplayedAnswer } from './kept-answer.js';
import type { BoundKey } from './key-store.sql.js';

const answerGone =
  'The result of this call is no longer kept. The call is not repeated under its key: call the tool again with another Idempotency-Key.';

/** Gives the answer to a request with a key whose execution has ended. */
export async function replayOf(
  key: Exclude<BoundKey, { state: 'running' }>,
  keeper: AnswerKeeper,
): Promise<ReplayedAnswer> {
  switch (key.state) {
    case 'answered':
      return keeper.replay(key.answer);
    case 'interrupted':
      return { body: recordedAnswer(interruptedAnswer(key.executionId, key.end), key.end).body, whole: false };
    case 'lost':
      return { body: lostAnswer(key), whole: false };
  }
}

/** Everything that the record holds, and that is all but the result. */
function lostAnswer({ executionId, end }: Extract<BoundKey, { state: 'lost' }>): JsonObject {
  const { durationMs: elapsedMs, success, outcome, bill, errorMessage } = end;
  const known = { executionId, elapsedMs, success, outcome, bill, result: { message: answerGone } };
  return recordedAnswer(executeAnswer(200, errorMessage === undefined ? known : { ...known, errorMessage }), end).body;
}
