import { types } from 'node:util';
import type { JsonValue } from '@capability-router/kernel';
import { failure, type ProviderAnswer, type ProviderFailure } from '../provider-adapter.js';
import { isRefusal, OUT_OF_MEMORY_CODE, type WorkerAnswer, type WorkerRefusal } from './worker-protocol.js';

/** What a runner said, in the words of the port. `report` gets what the caller must not see. */
export function toAnswer(answer: WorkerAnswer, report: (detail: string) => void): ProviderAnswer {
  if (isRefusal(answer)) return explainRefusal(answer, report);
  const [json, sizeBytes] = answer;
  return { kind: 'answered', data: JSON.parse(json) as JsonValue, json, sizeBytes };
}

function explainRefusal({ reason, message }: WorkerRefusal, report: (detail: string) => void): ProviderFailure {
  switch (reason) {
    case 'input':
      return failure('provider_error', message, { retryable: false, callerFault: true });
    case 'too_large':
      return failure('execution_failed', `The result is too large (${message}). Ask for less.`, { retryable: false });
    case 'unknown_operation':
    case 'needs_isolation':
      report(`${reason}: ${message}`);
      return failure('execution_failed', 'The tool is not installed here.', { retryable: false });
    case 'unexpected':
      report(message);
      return failure('execution_failed', 'The tool failed unexpectedly.', { retryable: false });
  }
}

/** A runner died: its heap limit, or an exit of its own. */
export function explainWorkerError(error: unknown): ProviderFailure {
  const code = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  if (code === OUT_OF_MEMORY_CODE) {
    return failure('execution_failed', 'The tool ran out of its memory limit. Ask for less.', { retryable: false });
  }
  return failure('execution_failed', 'The tool runner stopped unexpectedly.', { retryable: false });
}
