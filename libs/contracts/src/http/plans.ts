import type { JsonObject } from '@capability-router/kernel';
import type { ValueMapping } from '../tools/capability-mapping.js';
import type { ResultFields } from '../tools/result-fields.js';

/** Attempts of one plan. */
export const MAX_PLANNED_ATTEMPTS = 10;
/** Bytes of a plan, and of a refusal: the body of a query is in it up to three times, with numbers written out. */
export const MAX_PLAN_BODY_BYTES = 16_777_216;
/** Milliseconds of one plan at most, and without a word about it. */
export const MAX_PLAN_DEADLINE_MS = 100_000;
export const DEFAULT_PLAN_DEADLINE_MS = 30_000;
/** Characters, counted as code points. */
export const MAX_REFUSAL_MESSAGE_LENGTH = 500;

/**
 * execution · POST /internal/plans · callers: capability-routing, with the caller's assertion and the `execution_id` that the gateway
 * minted. Runs the attempts in order until one serves: one execution, one hold, one end, at most one charge.
 *
 * The answer, whatever its status, is the caller's (`RunPlanAnswer`, or an error body): it is what a repetition under the same
 * idempotency key and the look-up by id show again, and is passed on as it is, with its `idempotency-replayed` and `retry-after`.
 * 200 the plan ran, `success` says whether it served, or no attempt could be run as planned (`routing.attempts` says why) · 402 no attempt within the credits or a budget · 408 the deadline left
 * no attempt enough time, nothing was sent · 409 the key's first request is still running · 422 no attempt within
 * what the query may cost, or the key is of another request · 500 the outcome is unknown · 503 nothing was run.
 */
export interface RunPlanRequest {
  readonly capability: PlannedCapability;
  /** In the order in which they are tried; 1 to 10. */
  readonly attempts: readonly PlannedAttempt[];
  /** The conditions that a result must meet to serve, after its mapping. */
  readonly fields: ResultFields;
  /** Milliseconds for all attempts together, from 1 to 100,000. */
  readonly deadlineMs: number;
  /**
   * The capability is read-only or idempotent: an attempt may follow one whose provider may have acted. Where it is not, an attempt
   * follows only one that was not sent, or that its provider refused (4xx but 408, 409 and 499).
   */
  readonly repeatable: boolean;
  /**
   * The capability only reads, so that two providers may be asked at once: the second attempt may begin beside a first that has taken
   * longer than its `expectedMs`, where the deployment allows that. Absent: it may not.
   */
  readonly readOnly?: boolean;
  /** Decimal string, > 0: what the query may cost at most. */
  readonly maxMicroCredits?: string;
  /** Bytes of the serialised `result.data` above which it is truncated; -1 = never. The default of a Call where absent. */
  readonly maxResponseSize?: number;
  /**
   * The caller's body: kept for the audit, and what a repetition under one idempotency key is compared by. Its `session_id`,
   * `search_id` and `model` say where the query belongs.
   */
  readonly request: JsonObject;
  /** The caller's `Idempotency-Key`. */
  readonly idempotencyKey?: string;
  /** Members of the answer that routing knows before anything runs; they come back in it, in replays too. */
  readonly answer?: {
    /** The capability's parameters, as they were understood. */
    readonly parameters?: JsonObject;
    /** `candidates` and `excluded`; execution adds `chosen` and `attempts`. */
    readonly routing?: JsonObject;
  };
}

export interface PlannedCapability {
  readonly capabilityId: string;
  /** Both, or neither. */
  readonly contractVersion?: number;
  /** 64 lowercase hex digits. */
  readonly schemaHash?: string;
}

/** One tool, pinned to what was looked at when it was chosen. */
export interface PlannedAttempt {
  readonly toolId: string;
  readonly toolVersion: number;
  /** `hashPriceRule` of the tool's price. With another version or price here, the attempt is skipped as `contract_changed`. */
  readonly priceRuleHash: string;
  /** The tool's parameters, mapped. */
  readonly parameters: JsonObject;
  /** Milliseconds that the tool usually needs at most (its p95): kept free for it, and less than that it does not begin with. */
  readonly expectedMs?: number;
  /** The capability's result, from the tool's `result.data`. The same where absent. */
  readonly result?: ValueMapping;
}

/** Why an attempt of a plan was not sent. */
export const skipReasons = [
  /** The tool has another version or price here, or none any more. */
  'contract_changed',
  /** The tool is retired. */
  'unavailable',
  'region',
  'invalid_parameters',
  /** The provider's credential is missing. */
  'signin_required',
  /** The attempt could cost more than the query may. */
  'over_budget',
  /** The attempt could cost more than the account can spend. */
  'insufficient_credits',
  /** The rest of the deadline does not suffice for it. */
  'no_time',
  /** Its adapter would not send it: its breaker is open, say. */
  'breaker_open',
  /** The provider of the attempt before may have acted, and the capability is not repeatable. */
  'not_repeatable',
  /** One before it served, or nothing more could begin. */
  'not_needed',
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** One attempt in `routing.attempts` of the answer, in the order of the plan. `hedge`: it began beside the one before it. */
export type AttemptReport = { readonly tool_id: string; readonly tool_version: number } & (
  | {
      readonly status: 'served' | 'failed';
      readonly outcome: string;
      /** One of the sixteen reason codes. */
      readonly reason: string;
      readonly elapsed_time_ms: number;
      /** In words, of a failed one. */
      readonly message?: string;
      readonly hedge?: true;
    }
  /** It was sent and not waited for, because the attempt beside it served. */
  | {
      readonly status: 'abandoned';
      readonly reason: 'not_needed';
      readonly elapsed_time_ms: number;
      readonly message: string;
      readonly hedge?: true;
    }
  | { readonly status: 'skipped'; readonly reason: SkipReason; readonly message?: string }
);

/** The answer of a plan that ran: the body of the caller's answer. Amounts are JSON numbers. */
export interface RunPlanAnswer {
  readonly execution_id: string;
  readonly capability_id: string;
  readonly contract_version?: number;
  readonly schema_hash?: string;
  readonly success: boolean;
  /** As in a Call, of the mapped result; `status_code` beside it. */
  readonly result: JsonObject;
  readonly error_message: string | null;
  readonly cost: number;
  readonly credits_used: number;
  readonly remaining_credits?: number;
  readonly parameters?: JsonObject;
  readonly billing?: JsonObject;
  readonly execution_outcome?: JsonObject;
  readonly routing: {
    /** The tool that served; null where none did. */
    readonly chosen: string | null;
    readonly attempts: readonly AttemptReport[];
  } & JsonObject;
}

/**
 * execution · POST /internal/plans:refuse · callers: capability-routing, as above. Records a query that goes no further, so that the
 * audit has its row: `ExecutionRefused` with the operation `capabilities_query`. 200 `RefusePlanAnswer`; 409 where the id has an event
 * already.
 */
export interface RefusePlanRequest {
  /** As the caller gave it; at most 200 characters are recorded. */
  readonly capabilityId?: string;
  /** The answer to the caller. */
  readonly httpStatus: 200 | 402 | 404 | 408 | 422;
  readonly reasonCode:
    | 'validation_error'
    | 'tool_unavailable'
    | 'region_restricted'
    | 'insufficient_credits'
    | 'budget_exceeded';
  /** Without anything that the caller wrote: it goes into an event. At most `MAX_REFUSAL_MESSAGE_LENGTH`; a longer one is refused. */
  readonly message: string;
  readonly request: JsonObject;
  /** The caller's `Idempotency-Key`: where a request before took it, its answer stands, whatever would be decided now. */
  readonly idempotencyKey?: string;
}

/** `bound`: nothing was recorded, and the caller is answered so, because of its idempotency key. */
export interface RefusePlanAnswer {
  readonly bound?: {
    readonly httpStatus: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonObject;
  };
}
