import type { JsonValue } from '@capability-router/kernel';
import { failure, unsent, type ProviderAnswer, type ProviderFailure } from '../provider-adapter.js';
import type { NotBegun, TaskEndedBy, TaskOutcome } from '../runners/pool-task.js';
import { readRefusal, type OperationRefusal } from './operation-answers.js';

/** Puts the outcome of a task into the words of the port. `report` gets what the caller must not see. */
export function toAnswer(outcome: TaskOutcome, deadlineMs: number, report: (detail: string) => void): ProviderAnswer {
  switch (outcome.kind) {
    case 'answered':
      return readAnswer(outcome.answer, report);
    case 'not_begun':
      return unsent(notBegun(outcome.why, deadlineMs));
    case 'ended':
      return endedEarly(outcome.by, deadlineMs);
    case 'threw':
      report(outcome.detail);
      return unexpected;
  }
}

function readAnswer(answer: string, report: (detail: string) => void): ProviderAnswer {
  const refusal = readRefusal(answer);
  if (refusal !== undefined) return explainRefusal(refusal, report);
  const data = JSON.parse(answer) as JsonValue;
  return { kind: 'answered', data, json: answer, sizeBytes: Buffer.byteLength(answer) };
}

const unexpected = failure('execution_failed', 'The tool failed unexpectedly.', { retryable: false });

function explainRefusal({ reason, message }: OperationRefusal, report: (detail: string) => void): ProviderFailure {
  switch (reason) {
    case 'input':
      return failure('provider_error', message, { retryable: false, callerFault: true });
    case 'too_large':
      return failure('execution_failed', `The result is too large (${message}). Ask for less.`, { retryable: false });
    case 'unknown_operation':
      report(`${reason}: ${message}`);
      return failure('execution_failed', 'The tool is not installed here.', { retryable: false });
    case 'unexpected':
      report(message);
      return unexpected;
  }
}

const ours = { retryable: true, ours: true } as const;

/** Nothing of the caller's was run: the same call is as good as before. */
function notBegun(why: NotBegun, deadlineMs: number): ProviderFailure {
  switch (why) {
    case 'busy':
      return failure('execution_failed', 'The tool runners are busy. Retry in a few seconds.', ours);
    case 'waited':
      return failure('timeout', `The tool runners were busy for ${deadlineMs} ms. Retry later.`, ours);
    case 'not_started':
    case 'not_loaded':
      return failure('execution_failed', 'The tool could not be loaded; the fault is ours. Retry later.', ours);
    case 'closed':
      return failure('execution_failed', 'This server is stopping. Retry.', ours);
  }
}

// The tools are pure: what ran out of time or memory once will do so again, unless it had no chance.
function endedEarly(by: TaskEndedBy, deadlineMs: number): ProviderFailure {
  switch (by) {
    case 'time':
      return failure('timeout', 'The program ran for longer than the tool allows. Let it do less.', {
        retryable: false,
      });
    case 'given_up':
      return failure('timeout', `The tool did not answer within ${deadlineMs} ms.`, { retryable: false });
    case 'starved':
    case 'cut':
      return failure(
        'timeout',
        'This server is too busy to run the tool in time; the fault is ours. Retry later.',
        ours,
      );
    case 'memory':
      return failure('execution_failed', 'The tool ran out of its memory limit. Ask for less.', { retryable: false });
    case 'itself':
      return failure('execution_failed', 'The tool runner stopped unexpectedly.', { retryable: false });
    case 'service':
      return failure('execution_failed', 'The tool runner was stopped; the fault is ours. Retry.', ours);
  }
}
