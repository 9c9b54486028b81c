import type { JsonObject } from '@capability-router/kernel';

/**
 * The account that pays for the verification of tools. It is the deployment's own: nobody has a key of it, its calls leave
 * holds, audit rows and ledger entries like any other, and they are no evidence about tools.
 */
export const VERIFICATION_ACCOUNT_ID = 'acc_00000000000070008000766572696679';
/** Its calls stand under this key in audits and budgets; no such key exists. */
export const VERIFICATION_KEY_ID = '00000000-0000-7000-8000-766572696679';

/** identity · POST /internal/verification-account:open · callers: registry. Opens the account where it is not there yet. */
export interface OpenVerificationAccountResponse {
  /** False where it was there. */
  readonly opened: boolean;
}

/**
 * execution · POST /internal/trial-calls · callers: registry, with an assertion of its own for the account above and an
 * `execution_id` of its own. Runs an example of a tool as a Call: one execution, a hold, an audit row, a charge where it
 * succeeds. Never answered from a cache. 200 `TrialCallResponse` whatever became of the call · 409 the tool has another
 * version here, nothing was recorded.
 */
export interface TrialCallRequest {
  readonly toolId: string;
  readonly toolVersion: number;
  readonly parameters: JsonObject;
  /** Names the budget of the provider and the day that the call counts against. */
  readonly sessionId: string;
  /** The provider is called as if the tool needed no credential. */
  readonly withoutCredential?: boolean;
}
export interface TrialCallResponse {
  /** The answer that a caller of the tool would have had. */
  readonly httpStatus: number;
  readonly body: JsonObject;
  /** The call failed by a fault of the deployment, as `ExecutionOutcome.ours` says; callers are not told so. Absent: not known to be so. */
  readonly ours?: true;
}
