import type { AccountAssertion, PlannedCapability, RunPlanRequest, SkipReason } from '@capability-router/contracts';
import type { ExecutionId } from '@capability-router/kernel';
import type { OncePerKey } from './key-claim.js';

/** Bytes of the serialised `result.data` above which it is truncated. */
export const DEFAULT_MAX_RESPONSE_BYTES = 20_480;

/** Members that a request of a call may leave out. */
export const callDefaults = {
  max_response_size: DEFAULT_MAX_RESPONSE_BYTES,
  respond_with: 'full',
  cacheMode: 'default',
} as const;

/** The request of a call, of which nothing is checked. */
export interface RawExecuteRequest {
  /** Every value of the `tool_id` query parameter. */
  readonly queryToolIds: readonly string[];
  readonly cacheMode: string | undefined;
  readonly body: unknown;
}

/** The part of a request that could be read, also when it is refused: the audit row shows it. */
export interface PartialRequest {
  readonly toolId?: string;
  readonly searchId?: string;
  readonly sessionId?: string;
  readonly model?: string;
}

/** A call as it came: who calls, and a request of which nothing is checked. */
export interface Call {
  readonly executionId: ExecutionId;
  readonly assertion: AccountAssertion;
  /** The assertion as it came, to be passed on. */
  readonly assertionToken: string;
  readonly raw: RawExecuteRequest;
  /** W3C trace context of the request; its events carry it. Absent where it is not traced. */
  readonly traceparent?: string;
  /** Absent for a call without an idempotency key. */
  readonly once?: OncePerKey;
  /** Absent where a tool is called by its name. */
  readonly query?: CapabilityQuery;
  /** The provider is called as if the tool needed no credential: a verification sees whether it is refused. */
  readonly withoutCredential?: boolean;
}

/** A capability was asked for, and its tools are the attempts of one plan: what the answer says of it beside that to a Call. */
export interface CapabilityQuery {
  readonly capability: PlannedCapability;
  /** All attempts that were asked for, by their position. */
  readonly asked: readonly { readonly toolId: string; readonly toolVersion: number }[];
  /** The reasons why some of them are not in the plan, by their position. */
  readonly skipped: ReadonlyMap<number, Skipped>;
  readonly answer: NonNullable<RunPlanRequest['answer']>;
}

export interface Skipped {
  readonly reason: SkipReason;
  /** Tells the caller what to do about it. */
  readonly message?: string;
}
