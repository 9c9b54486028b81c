import type { JsonObject, JsonValue } from '@capability-router/kernel';

/** Milliseconds for which a replica of the gateway counts as alive after it has reported. */
export const GATEWAY_LEASE_MS = 3_000;

/**
 * identity · POST /internal/gateway-replicas:report · callers: gateway. Each replica reports at least three times within
 * `GATEWAY_LEASE_MS`, and at once when it has evicted something. 200.
 */
export interface GatewayReportRequest {
  /** UUID of the process. */
  readonly replicaId: string;
  /** Ids of keys and accounts that are revoked or erased and that the replica has evicted, and of changes that it acts by; at most 500. */
  readonly evicted: readonly string[];
  /** True where the replica serves no more requests. */
  readonly leaving?: true;
}
export interface GatewayReportResponse {
  /**
   * ISO 8601, by the database of identity: since when the replica has been alive for it without a gap. Where it is another
   * than in the answer before, revocations may have been answered without the replica. Absent: it is leaving.
   */
  readonly leaseBeganAt?: string;
}

/** Whose credential a request carried. */
export interface ReportedCaller {
  readonly accountId: string;
  readonly apiKeyId?: string;
  readonly oauthClientId?: string;
  readonly credentialType: string;
}

/**
 * identity · POST /internal/security-log:admit · callers: gateway. A request that changes something in a service other than
 * identity. It is passed on once the log has it: 200.
 */
export interface AdmittedChange {
  /** UUID; what is sent again is written once. */
  readonly entryId: string;
  readonly caller: ReportedCaller;
  /** Method and pattern of the path. */
  readonly route: string;
  /** As it was asked for, without the query. */
  readonly path: string;
  /** The account that the path names. */
  readonly accountId?: string;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly userAgent?: string;
}

/**
 * Refusals by a replica of the gateway, folded: as often as the first look found them, and then once a minute; and what
 * became of an `AdmittedChange`.
 */
export interface SecurityReport {
  /** UUID; a report that is sent again is written once. */
  readonly entryId: string;
  readonly kind: 'forbidden' | 'sign_in_failed' | 'answered';
  readonly occurrences: number;
  /** Absent where no credential was valid. */
  readonly caller?: ReportedCaller;
  /** `answered`: `entryId` and `accountId` of what was admitted. */
  readonly admittedId?: string;
  readonly accountId?: string;
  /** Method and pattern of the path. */
  readonly route?: string;
  /** A code. */
  readonly reason?: string;
  /** The request id of the first of them, like the address. */
  readonly requestId?: string;
  readonly clientAddress?: string;
}

/** identity · POST /internal/security-log:report · callers: gateway. At most 200 reports. 200. */
export interface SecurityReportRequest {
  readonly reports: readonly SecurityReport[];
}

/** Every hold has this end, since none lapses by itself: billing asks whoever it was placed for how it ended. */
export const HOLD_EXPIRES_AT = '9999-12-31T00:00:00.000Z';

/**
 * billing · POST /internal/holds · callers: execution for executions, registry for searches. 200 for a new or an equal
 * hold, 402 if short or above a budget of the asserted credential, 409 for other inputs.
 */
export type PlaceHoldRequest = HoldTerms & ({ readonly executionId: string } | { readonly searchId: string });
interface HoldTerms {
  readonly accountId: string;
  /** Decimal string, > 0. */
  readonly amountMicroCredits: string;
  /** ISO 8601. Nothing reads it; replicas of billing of the release before refuse a hold without it. */
  readonly expiresAt: string;
  /** As the caller gave it; only where the assertion has a budget per session, because older billing refuses it. */
  readonly sessionId?: string;
}
/** A budget that the amount does not fit into. */
export interface ExceededBudget {
  readonly scope: 'key' | 'session' | 'project' | 'delegation';
  readonly limitMicroCredits: string;
  /** Decimal string; what the budget still admits, 0 or more. */
  readonly availableMicroCredits: string;
  /** ISO 8601; absent where the budget has no period. */
  readonly periodEndsAt?: string;
}
export type PlaceHoldResponse =
  | {
      readonly status: 'held';
      readonly availableMicroCredits: string;
      /** The daily free allowance stands for it: nothing of the balance is reserved, and nothing will be charged. */
      readonly covered?: true;
    }
  | { readonly status: 'insufficient_credits'; readonly availableMicroCredits: string }
  /** The account has enough; `budgets` are those that do not fit, at least one, the tightest first. */
  | {
      readonly status: 'budget_exceeded';
      readonly availableMicroCredits: string;
      readonly budgets: readonly ExceededBudget[];
    }
  | { readonly status: 'conflict' };

/**
 * billing · POST /internal/holds:release · callers: execution for executions, registry for searches. At most 100, whose
 * recorded end charges nothing: what was held for them goes back at once, and their events find it released. One that has
 * no open hold is left alone, unless it is among `forestalled`: then a hold that comes later is refused as a conflict.
 */
export interface ReleaseHoldsRequest {
  readonly billableIds: readonly string[];
  /** At most 100. Left out where there is none, because older billing refuses it. */
  readonly forestalled?: readonly ForestalledHold[];
}
/** A hold whose placing was not answered: it may be there, may never be, or may come yet. */
export interface ForestalledHold {
  readonly billableId: string;
  readonly accountId: string;
  /** Decimal string, > 0; what was asked for. */
  readonly amountMicroCredits: string;
}
export interface ReleaseHoldsResponse {
  /** Holds that this request ended. */
  readonly released: number;
}

/** billing · GET /internal/accounts/{account_id}/available · callers: registry, execution, capability-routing, identity */
export interface AvailableCreditsResponse {
  readonly availableMicroCredits: string;
}

/**
 * billing · GET /internal/accounts/{account_id}/grants/{grant_ref} · callers: identity. Whether the grant that a fact of the
 * account brings is booked; the bonus of a claim has the id of the claim as its reference.
 */
export interface GrantBookedResponse {
  readonly booked: boolean;
}

/** billing · POST /internal/accounts:balances · callers: identity. At most 100 accounts; those without a balance are left out. */
export interface AccountBalancesRequest {
  readonly accountIds: readonly string[];
}
/** By account id; decimal strings of micro-credits. What is held is a part of the balance. */
export interface AccountBalancesResponse {
  readonly balances: Readonly<
    Record<string, { readonly balanceMicroCredits: string; readonly heldMicroCredits: string }>
  >;
}

/** The state of the bill of something that ended. */
export type SettlementState = 'pending' | 'settled' | 'uncollected' | 'not_applicable';

/**
 * billing · GET /internal/accounts/{account_id}/executions/{execution_id}/settlement · callers: execution. An execution
 * that billing has not heard of yet is `pending`.
 */
export interface SettlementResponse {
  readonly settlementState: SettlementState;
  /** Settled less what was refunded; absent until it is settled. */
  readonly amountMicroCredits?: string;
  readonly ledgerEntryId?: string;
}

/**
 * execution · POST /internal/executions:end-states · callers: billing. For each id, how it ended; an id that execution
 * does not know is ended by the question (`ExecutionInterrupted`), so that it can never start afterwards.
 */
export interface EndStatesRequest {
  readonly executions: readonly { readonly executionId: string; readonly accountId: string }[];
}
export interface EndStatesResponse {
  readonly endStates: Readonly<Record<string, 'running' | 'completed' | 'refused' | 'interrupted'>>;
}

/**
 * registry · POST /internal/searches:end-states · callers: billing. For each billed search, how it ended, by search id in
 * `endStates`; one that registry does not know is ended by the question, so that it can never be answered afterwards.
 */
export interface SearchEndStatesRequest {
  readonly searches: readonly { readonly searchId: string; readonly accountId: string }[];
}

/** execution, registry · POST /internal/payloads:lookup · callers: billing. At most 500 usage event ids. */
export interface PayloadLookupRequest {
  readonly accountId: string;
  readonly usageEventIds: readonly string[];
}
export interface PayloadLookupResponse {
  readonly payloads: Readonly<
    Record<
      string,
      { readonly requestPayload?: JsonValue; readonly responsePayloadSummary?: JsonValue; readonly query?: string }
    >
  >;
}

/** Tools in one request for their descriptions. */
export const MAX_DESCRIBED_TOOLS = 200;

/**
 * registry · POST /internal/tools:describe · callers: gateway. At most `MAX_DESCRIBED_TOOLS` ids. What is not published is left
 * out; the rest comes in the order of the request. It is of nobody's account, and leaves no usage event.
 */
export interface DescribeToolsRequest {
  readonly toolIds: readonly string[];
}
export interface DescribeToolsResponse {
  readonly tools: readonly DescribedTool[];
}
/** Texts are English. */
export interface DescribedTool {
  readonly toolId: string;
  readonly name: string;
  readonly description: string;
  /** The price of a call, in words. */
  readonly price: string;
  /** JSON Schema 2020-12 of an object. */
  readonly parametersSchema: JsonObject;
  /** Each group needs at least one of its names. */
  readonly oneOfRequired: readonly (readonly string[])[];
  /** Whoever runs it is this deployment, and nothing else is reached. */
  readonly builtIn: boolean;
}

/** Headers between gateway and services. */
export const internalHeaders = {
  /** Bearer token of the calling service. */
  serviceToken: 'authorization',
  accountAssertion: 'x-account-assertion',
  /** The caller's header `Authorization`, on routes that read it themselves. */
  callerAuthorization: 'x-caller-authorization',
  executionId: 'x-execution-id',
  requestId: 'x-request-id',
  /** The caller's address as the gateway sees it, on routes without a credential. */
  clientAddress: 'x-client-ip',
  /**
   * On answers: `not_ready` beside a 503, the service has not begun on the request, another replica may; `draining`, it
   * was served, and the replica will stop listening.
   */
  availability: 'x-service-availability',
  /** On answers: `ended` beside a 401 tells the gateway that its caller's credential, which it vouched for, has ended since. */
  credential: 'x-credential',
  /** On every answer of a service, errors included: its name. An address may belong to another by now. */
  answeredBy: 'x-answered-by',
  /** On the answer to a Call or CAP query: its reason code, for the request log of the gateway. */
  reasonCode: 'x-reason-code',
  /** On such an answer, unless it repeats one: credits of its bill, before settlement, as a decimal number. */
  billedCredits: 'x-billed-credits',
} as const;

/** `WWW-Authenticate` beside the 401 to a client of OAuth that is unknown; a service refuses the gateway without it. */
export const OAUTH_CLIENT_CHALLENGE = 'Basic realm="oauth"';
