import type { EventEnvelope } from '../envelope.js';
import type { CredentialType, Outcome, ReasonCode } from '../reason-codes.js';
import type { PriceRule } from '../tools/price-rule.js';
import type { AccountKind } from './identity.js';

/** Who called what, on every event of an execution, so that a reader needs only the terminal one. */
export interface ExecutionFacts {
  readonly executionId: string;
  readonly accountId: string;
  /** The kind of the account when it called; absent on events of older builds and where nobody called. */
  readonly accountKind?: AccountKind;
  readonly eventType: 'tool_execute' | 'capabilities_query';
  /** Present on a `capabilities_query`; at most 200 characters. */
  readonly capabilityId?: string;
  /** Absent, as for a `tool_execute`, where the capability has no contract. */
  readonly contractVersion?: number;
  readonly apiKeyId?: string;
  /** The OAuth client whose token called; absent where an API key did. */
  readonly oauthClientId?: string;
  /** The project of the account that it is counted for; absent where the credential belongs to none. */
  readonly projectId?: string;
  readonly credentialType: CredentialType;
  /** As the caller gave it; absent where the request named none. At most 200 characters. */
  readonly toolId?: string;
  readonly toolVersion?: number;
  readonly providerId?: string;
  readonly searchId?: string;
  readonly sessionId?: string;
  readonly model?: string;
  /** SHA-256 of the canonical parameters. */
  readonly parametersHash?: string;
  readonly parametersBytes?: number;
  /** The price frozen for this call. Absent on a refusal before the tool was known. */
  readonly priceRule?: PriceRule;
  readonly expectedCost?: string;
  /** Decimal string; 0 where nothing was held. */
  readonly holdMicroCredits: string;
}

export interface ExecutionStarted extends ExecutionFacts {
  readonly startedAt: string;
  readonly deadlineAt: string;
}

export interface ChargeLine {
  readonly componentKey: string;
  readonly description: string;
  readonly quantity: number;
  readonly unitLabel: string;
  readonly amountMicroCredits: string;
}

/** The cost of the call by its frozen rule; settlement charges exactly this. */
export interface Bill {
  readonly summary: string;
  /** Decimal string; 0 for a failed, empty or free call. */
  readonly listAmountMicroCredits: string;
  readonly chargeLines: readonly ChargeLine[];
  /** The result was another call's, and the provider was not asked. Absent: it was, or nothing was billed. */
  readonly fromCache?: true;
}

export interface ExecutionOutcome {
  readonly outcome: Outcome;
  readonly reasonCode: ReasonCode;
  readonly transportSuccess: boolean;
  readonly providerSuccess: boolean;
  readonly billableSuccess: boolean;
  readonly resultValid: boolean;
  readonly userMessage: string;
  readonly retryable: boolean;
  /**
   * The provider refused what the caller asked for: the failure says nothing about the tool. Absent: not known to be
   * so.
   */
  readonly callerFault?: boolean;
  /**
   * The deployment was too busy, stopping or out of order: the failure says nothing about the tool. Absent: not known to be so.
   */
  readonly ours?: true;
  readonly providerStatusCode?: number;
  readonly validResultCount?: number;
  readonly rawResultCount?: number;
  readonly chargeableQuantity?: number;
}

/** One attempt of a plan. */
export interface AttemptFact {
  readonly toolId: string;
  readonly toolVersion: number;
  /** Absent where the attempt could not be planned. */
  readonly providerId?: string;
  /** `skipped`: nothing was sent. `abandoned`: it was sent and not waited for, because the attempt beside it served. */
  readonly status: 'served' | 'failed' | 'skipped' | 'abandoned';
  /** It began beside the attempt before it, which had not answered. */
  readonly hedge?: true;
  /** For an abandoned attempt this is the most that it would have cost the caller. What its provider wants for it is the deployment's. */
  readonly forgoneMicroCredits?: string;
  /** A reason code of what was sent and waited for, else a reason of `skipReasons`. */
  readonly reason: string;
  /** The provider refused what it was asked for: the failure says nothing about the tool. */
  readonly callerFault?: boolean;
  /** The fault is the deployment's own: the failure says nothing about the tool. */
  readonly ours?: true;
  /** Absent where nothing was sent. */
  readonly durationMs?: number;
}

interface ExecutionEnd extends ExecutionFacts {
  readonly success: boolean;
  readonly outcome: ExecutionOutcome;
  readonly bill: Bill;
  readonly errorMessage?: string;
  /**
   * False: nothing was sent to a provider, and the caller was asked to send the call again. No audit row is kept of it.
   * Absent: a row is kept, or an older build wrote the event. Read it with `wasAskedToRetry`.
   */
  readonly dispatched?: false;
  /** The ends of the attempts of a `capabilities_query` that began, in their order. At most 10. */
  readonly attempts?: readonly AttemptFact[];
  readonly httpStatusCode: number;
  readonly durationMs: number;
  readonly startedAt: string;
  readonly completedAt: string;
}

/** The provider answered or failed; the bill is final. */
export interface ExecutionCompleted extends ExecutionEnd {
  readonly resultBytes?: number;
  readonly resultHash?: string;
  /** Answered from a cache without the provider: no evidence of how the tool works now. Absent: the provider was asked. */
  readonly servedFromCache?: boolean;
}
/** Never dispatched, never charged. */
export type ExecutionRefused = ExecutionEnd;
/** The replica that ran the execution is gone; never charged. */
export type ExecutionInterrupted = ExecutionEnd;

/** How events of builds before `dispatched` say it, and those of this build for readers of such builds. */
const ASKED_TO_RETRY = 503;

/** The call did not run and its caller was asked to send it again, by an end of any build. */
export const wasAskedToRetry = (end: { readonly dispatched?: unknown; readonly httpStatusCode?: unknown }): boolean =>
  end.dispatched === false || end.httpStatusCode === ASKED_TO_RETRY;

/**
 * A call that had succeeded turned out to be a failure: an operator, or its provider, reported it after its end. At most
 * one per execution, always after its end, in a stream of its own (`revision:` and the execution id). It moves no money.
 */
export interface ExecutionOutcomeRevised {
  readonly executionId: string;
  readonly accountId: string;
  readonly eventType: 'tool_execute' | 'capabilities_query';
  readonly toolId?: string;
  readonly providerId?: string;
  readonly outcome: Outcome;
  readonly reasonCode: ReasonCode;
  readonly previousOutcome: Outcome;
  readonly previousReasonCode: ReasonCode;
  /** Id of the API key, or of the account, that reported it. */
  readonly revisedBy: string;
  /** A reference of the operator's own books; no free text. */
  readonly reference?: string;
  /** When the execution ended. */
  readonly completedAt: string;
  readonly revisedAt: string;
}

export type ExecutionEvent =
  | EventEnvelope<'ExecutionStarted', ExecutionStarted>
  | EventEnvelope<'ExecutionCompleted', ExecutionCompleted>
  | EventEnvelope<'ExecutionRefused', ExecutionRefused>
  | EventEnvelope<'ExecutionInterrupted', ExecutionInterrupted>
  | EventEnvelope<'ExecutionOutcomeRevised', ExecutionOutcomeRevised>;
