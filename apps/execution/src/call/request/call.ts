import type { AccountAssertion, ExecutionFacts, ExecutionStarted, ToolContract } from '@capability-router/contracts';
import type { Credits, ExecutionId } from '@capability-router/kernel';
import type { KeyClaim } from '../../idempotency/idempotency-key.js';
import type { ExecuteRequest, RawExecuteRequest } from './execute-request.js';
import type { Payloads } from '../journal/execution-journal.js';

export interface Call {
  readonly executionId: ExecutionId;
  readonly assertion: AccountAssertion;
  /** The assertion as it came, to be passed on. */
  readonly assertionToken: string;
  readonly raw: RawExecuteRequest;
  /** The idempotency key that the call takes with its start. */
  readonly claim?: KeyClaim;
}

/** A call that passed every check that needs no other service. */
export interface AcceptedCall extends Call {
  readonly request: ExecuteRequest;
  readonly tool: ToolContract;
  readonly bound: Credits;
  readonly facts: ExecutionFacts;
  readonly started: ExecutionStarted;
  readonly payloads: Payloads;
  readonly startedMs: number;
  readonly deadlineMs: number;
}
