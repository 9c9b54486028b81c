import type { AccountAssertion } from '@capability-router/contracts';
import type { ExecutionId } from '@capability-router/kernel';
import type { RawExecuteRequest } from './execute-request.js';
import type { OncePerKey } from './key-claim.js';

/** A call as it came: who calls, and a request of which nothing is checked. */
export interface Call {
  readonly executionId: ExecutionId;
  readonly assertion: AccountAssertion;
  /** The assertion as it came, to be passed on. */
  readonly assertionToken: string;
  readonly raw: RawExecuteRequest;
  /** Absent for a call without an idempotency key. */
  readonly once?: OncePerKey;
}
