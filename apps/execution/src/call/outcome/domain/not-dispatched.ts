import type { JsonObject } from '@capability-router/kernel';
import type { RefusedCall } from '@capability-router/provider-kit';
import { previewInput } from '@capability-router/tool-calls';
import { invalidRequest, type Refusal } from '../../admission/domain/refusals.js';

/**
 * A request that an adapter would not send. Its message says what to do. `parameters`: what the caller sent of them, or undefined where they
 * were made out of the caller's for a tool that the caller did not name.
 */
export function notDispatched({ fault, message }: RefusedCall, parameters: JsonObject | undefined): Refusal {
  switch (fault) {
    case 'unavailable':
      return { httpStatus: 200, reasonCode: 'tool_unavailable', message };
    case 'signin_required':
      return { httpStatus: 200, reasonCode: 'oauth_signin_required', message };
    case 'invalid_parameters':
      return invalidRequest([
        { type: 'value_error', loc: ['body', 'parameters'], msg: message, input: previewInput(parameters) },
      ]);
  }
}
